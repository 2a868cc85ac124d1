package dev.runyard.core.log;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/// The stored form of a chunk's events: one byte that names the dictionary, then their JSON lines
/// deflated with that preset dictionary. A short chunk then costs one write unit where plain JSON
/// costs several.
final class ChunkBytes {
  private static final DeflatedForm DICTIONARY_1 = new DeflatedForm(1, dictionary());

  private ChunkBytes() {}

  static byte[] deflate(byte[] lines) {
    return DICTIONARY_1.deflate(lines);
  }

  /// The JSON lines of a stored body.
  ///
  /// @throws IllegalArgumentException when the bytes are not a chunk body
  static byte[] inflate(byte[] body) {
    return DICTIONARY_1.inflate(body);
  }

  private static byte[] dictionary() {
    try (InputStream in = ChunkBytes.class.getResourceAsStream("dictionary-1.txt")) {
      if (in == null) {
        throw new IllegalStateException("dictionary-1.txt is missing from the jar");
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
