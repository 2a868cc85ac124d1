package dev.runyard.functions.api;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Signs deliveries as their senders do.
public final class Signed {
  static final String STANDARD_KEY = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  private Signed() {}

  /// Headers of a delivery of GitHub's.
  public static Map<String, String> headers(String id, String signature) {
    return Map.of(
        "Content-Type",
        "application/json",
        "X-GitHub-Event",
        "issues",
        "X-GitHub-Delivery",
        id,
        "X-Hub-Signature-256",
        signature);
  }

  /// Headers of a delivery by Standard Webhooks.
  static Map<String, String> standard(String id, long time, String body) {
    byte[] code =
        mac(
            Base64.getDecoder().decode(STANDARD_KEY),
            "%s.%d.%s".formatted(id, time, body).getBytes(StandardCharsets.UTF_8));
    return Map.of(
        "webhook-id",
        id,
        "webhook-timestamp",
        String.valueOf(time),
        "webhook-signature",
        "v1," + Base64.getEncoder().encodeToString(code));
  }

  /// The signature as GitHub sends it.
  public static String signature(String key, String body) {
    return signature(key, body.getBytes(StandardCharsets.UTF_8));
  }

  /// The same over bytes.
  public static String signature(String key, byte[] body) {
    return "sha256=" + HexFormat.of().formatHex(mac(key.getBytes(StandardCharsets.UTF_8), body));
  }

  private static byte[] mac(byte[] key, byte[] body) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac.doFinal(body);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
