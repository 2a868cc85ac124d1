package dev.runyard.runner.checkout;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/// A path as git prints it: in quotes, with the bytes of unusual characters as octal numbers, if it
/// has such characters.
final class QuotedPath {
  private static final String NAMED = "abtnvfr\"\\";
  private static final String MEANT = "\u0007\b\t\n\u000b\f\r\"\\";

  private QuotedPath() {}

  /// The path itself. What is no text has U+FFFD in its place.
  static String plain(String printed) {
    if (printed.length() < 2 || !printed.startsWith("\"") || !printed.endsWith("\"")) {
      return printed;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int end = printed.length() - 1;
    for (int at = 1; at < end; at++) {
      char c = printed.charAt(at);
      if (c != '\\') {
        bytes.writeBytes(String.valueOf(c).getBytes(StandardCharsets.UTF_8));
      } else if (at + 3 < end + 1 && Character.digit(printed.charAt(at + 1), 8) >= 0) {
        bytes.write(Integer.parseInt(printed.substring(at + 1, at + 4), 8));
        at += 3;
      } else {
        at++;
        int named = NAMED.indexOf(printed.charAt(at));
        bytes.write(named < 0 ? printed.charAt(at) : MEANT.charAt(named));
      }
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
