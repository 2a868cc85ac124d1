package dev.runyard.core.webhook;

import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// The signature of the Standard Webhooks specification: `v1,` and the HMAC-SHA256 of
/// `<id>.<seconds>.<body>` in base64, one for each secret that counts.
public final class WebhookSignature {
  private static final String ALGORITHM = "HmacSHA256";

  private WebhookSignature() {}

  /// The three headers by which a receiver checks what it got.
  public static Map<String, String> headers(
      String id, Instant now, byte[] body, List<String> secrets) {
    String seconds = Long.toString(now.getEpochSecond());
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("webhook-id", id);
    headers.put("webhook-timestamp", seconds);
    headers.put(
        "webhook-signature",
        secrets.stream()
            .map(secret -> sign(secret, id + "." + seconds + ".", body))
            .collect(Collectors.joining(" ")));
    return headers;
  }

  private static String sign(String secret, String before, byte[] body) {
    byte[] key =
        WebhookSecret.bytes(secret)
            .orElseThrow(() -> new IllegalArgumentException("a webhook's secret is broken"));
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      mac.update(before.getBytes(StandardCharsets.UTF_8));
      return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
    } catch (NoSuchAlgorithmException | InvalidKeyException e) {
      throw new IllegalStateException("every Java platform has HMAC-SHA256", e);
    }
  }
}
