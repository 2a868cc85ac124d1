package dev.runyard.cli.client;

import com.sun.net.httpserver.HttpExchange;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Judges a request by its signature as API Gateway does, from what arrived alone: the rules of
/// Signature Version 4, written down a second time.
final class SignatureCheck {
  private static final Pattern AUTHORIZATION =
      Pattern.compile(
          "AWS4-HMAC-SHA256 Credential=([^/]+)/(([0-9]{8})/([^/]+)/([^/]+)/aws4_request),"
              + " SignedHeaders=([^,]+), Signature=([0-9a-f]{64})");

  private final String keyId;
  private final String secret;

  SignatureCheck(String keyId, String secret) {
    this.keyId = keyId;
    this.secret = secret;
  }

  /// What is wrong with it; empty if it is signed for this region and service.
  String judge(HttpExchange exchange, String body, String region) throws GeneralSecurityException {
    List<String> shown =
        exchange.getRequestHeaders().getOrDefault("Authorization", List.of("none"));
    Matcher form = AUTHORIZATION.matcher(shown.getFirst());
    if (!form.matches()) {
      return "not signed: " + shown;
    }
    if (!form.group(1).equals(keyId)
        || !form.group(4).equals(region)
        || !form.group(5).equals("execute-api")) {
      return "signed with another key, or for another place: " + form.group();
    }
    String time = exchange.getRequestHeaders().getFirst("X-Amz-Date");
    String toSign =
        String.join(
            "\n",
            "AWS4-HMAC-SHA256",
            time,
            form.group(2),
            hash(canonical(exchange, form.group(6), body)));
    byte[] key = ("AWS4" + secret).getBytes(StandardCharsets.UTF_8);
    for (String part : form.group(2).split("/", -1)) {
      key = mac(key, part);
    }
    String expected = HexFormat.of().formatHex(mac(key, toSign));
    return expected.equals(form.group(7)) ? "" : "wrong signature of:\n" + toSign;
  }

  private static String canonical(HttpExchange exchange, String signed, String body)
      throws GeneralSecurityException {
    List<String> lines = new ArrayList<>();
    lines.add(exchange.getRequestMethod());
    lines.add(exchange.getRequestURI().getRawPath().replace("%", "%25"));
    String query = exchange.getRequestURI().getRawQuery();
    lines.add(
        query == null
            ? ""
            : Arrays.stream(query.split("&", -1)).sorted().collect(Collectors.joining("&")));
    for (String name : signed.split(";", -1)) {
      lines.add(
          name.toLowerCase(Locale.ROOT)
              + ":"
              + String.join(",", exchange.getRequestHeaders().getOrDefault(name, List.of()))
                  .strip());
    }
    lines.add("");
    lines.add(signed);
    lines.add(hash(body));
    return String.join("\n", lines);
  }

  private static String hash(String text) throws GeneralSecurityException {
    return HexFormat.of()
        .formatHex(
            MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
  }

  private static byte[] mac(byte[] key, String text) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
  }
}
