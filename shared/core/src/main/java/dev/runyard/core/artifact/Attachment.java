package dev.runyard.core.artifact;

import java.nio.charset.StandardCharsets;

/// The header that has a browser save a content instead of showing it.
public final class Attachment {
  private static final String UNESCAPED = "!#$&+-.^_`|~";

  private Attachment() {}

  /// `Content-Disposition` for a file of this path, in the form that any name fits into (RFC 8187).
  public static String named(String path) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    StringBuilder value = new StringBuilder("attachment; filename*=UTF-8''");
    for (byte each : name.getBytes(StandardCharsets.UTF_8)) {
      char sign = (char) (each & 0xff);
      if (isPlain(sign)) {
        value.append(sign);
      } else {
        value.append('%').append("%02X".formatted((int) sign));
      }
    }
    return value.toString();
  }

  private static boolean isPlain(char sign) {
    return sign < 128 && (Character.isLetterOrDigit(sign) || UNESCAPED.indexOf(sign) >= 0);
  }
}
