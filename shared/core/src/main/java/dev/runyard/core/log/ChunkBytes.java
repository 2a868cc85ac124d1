package dev.runyard.core.log;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/// The stored form of a chunk's events: one byte that names the dictionary, then their JSON lines
/// deflated with that preset dictionary. A short chunk then costs one write unit where plain JSON
/// costs several.
final class ChunkBytes {
  private static final byte DICTIONARY_1 = 1;
  private static final byte[] DICTIONARY = dictionary();
  private static final int LEVEL = 6;

  /// What the events of one chunk may inflate to; more is not a chunk of ours.
  private static final int INFLATED_BYTES_MAX = 64 * 1024 * 1024;

  private ChunkBytes() {}

  static byte[] deflate(byte[] lines) {
    Deflater deflater = new Deflater(LEVEL, true);
    try {
      deflater.setDictionary(DICTIONARY);
      deflater.setInput(lines);
      deflater.finish();
      ByteArrayOutputStream out = new ByteArrayOutputStream(lines.length / 3 + 64);
      out.write(DICTIONARY_1);
      byte[] buffer = new byte[8192];
      while (!deflater.finished()) {
        out.write(buffer, 0, deflater.deflate(buffer));
      }
      return out.toByteArray();
    } finally {
      deflater.end();
    }
  }

  /// The JSON lines of a stored body.
  ///
  /// @throws IllegalArgumentException when the bytes are not a chunk body
  static byte[] inflate(byte[] body) {
    if (body.length < 2 || body[0] != DICTIONARY_1) {
      throw new IllegalArgumentException("not a chunk body of a known dictionary");
    }
    Inflater inflater = new Inflater(true);
    try {
      inflater.setDictionary(DICTIONARY);
      inflater.setInput(body, 1, body.length - 1);
      ByteArrayOutputStream out = new ByteArrayOutputStream(body.length * 4);
      byte[] buffer = new byte[8192];
      while (!inflater.finished()) {
        int count = inflater.inflate(buffer);
        if ((count == 0 && !inflater.finished()) || out.size() > INFLATED_BYTES_MAX) {
          throw new IllegalArgumentException("a chunk body that does not inflate");
        }
        out.write(buffer, 0, count);
      }
      return out.toByteArray();
    } catch (DataFormatException e) {
      throw new IllegalArgumentException("a chunk body that does not inflate", e);
    } finally {
      inflater.end();
    }
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
