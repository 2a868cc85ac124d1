package dev.runyard.runner.files;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/// A path as the kernel knows it. A name may have bytes that are no characters of the system's
/// encoding: then its text is another name, and only a URI shows the bytes.
public final class PathBytes {
  private static final int ASCII_END = 0x80;
  private static final int HEX = 16;

  private PathBytes() {}

  /// The bytes of a path, without the zero at its end.
  public static byte[] of(Path path) {
    String text = path.toString();
    if (text.chars().allMatch(character -> character > 0 && character < ASCII_END)) {
      return text.getBytes(StandardCharsets.US_ASCII);
    }
    String uri = Path.of("/").resolve(path).toUri().getRawPath();
    int from = path.isAbsolute() ? 0 : 1;
    int to = uri.endsWith("/") ? uri.length() - 1 : uri.length();
    byte[] bytes = new byte[to - from];
    int length = 0;
    for (int at = from; at < to; at++) {
      if (uri.charAt(at) == '%') {
        bytes[length++] = (byte) Integer.parseInt(uri, at + 1, at + 3, HEX);
        at += 2;
      } else {
        bytes[length++] = (byte) uri.charAt(at);
      }
    }
    return Arrays.copyOf(bytes, length);
  }
}
