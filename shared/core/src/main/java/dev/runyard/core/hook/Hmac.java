package dev.runyard.core.hook;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// HMAC with SHA-256 (RFC 2104), and comparisons that take as long whatever differs.
final class Hmac {
  private static final String NAME = "HmacSHA256";

  private Hmac() {}

  /// The code of all parts, concatenated.
  static byte[] of(byte[] key, byte[]... parts) {
    try {
      Mac mac = Mac.getInstance(NAME);
      mac.init(new SecretKeySpec(key, NAME));
      for (byte[] part : parts) {
        mac.update(part);
      }
      return mac.doFinal();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + NAME, e);
    }
  }

  static boolean same(byte[] one, byte[] other) {
    return MessageDigest.isEqual(one, other);
  }

  /// True if one of those given is the code; all are looked at.
  static boolean isAmong(byte[] code, List<byte[]> given) {
    boolean found = false;
    for (byte[] one : given) {
      found |= same(code, one);
    }
    return found;
  }

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
