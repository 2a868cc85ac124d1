package dev.runyard.core.ids;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// SHA-256: distinguishes texts that are too long or must not be shown.
public final class Digest {
  private Digest() {}

  /// The 32 bytes of the digest of all parts, concatenated.
  public static byte[] of(byte[]... parts) {
    MessageDigest digest = begun();
    for (byte[] part : parts) {
      digest.update(part);
    }
    return digest.digest();
  }

  /// A digest of what is yet to come.
  public static MessageDigest begun() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /// The digest of a text in UTF-8, as 64 hexadecimal characters.
  public static String hex(String text) {
    return HexFormat.of().formatHex(of(text.getBytes(StandardCharsets.UTF_8)));
  }
}
