package dev.runyard.core.log;

import java.io.ByteArrayOutputStream;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/// A format of stored bytes: one byte that names the format, then the bytes deflated, with a preset
/// dictionary if the contents are short and similar. Another format may follow later under another
/// name. The inflated size is bounded, because stored bytes may be damaged.
public final class DeflatedForm {
  /// Most bytes after inflating; Runyard stores no more.
  public static final int INFLATED_BYTES_MAX = 64 * 1024 * 1024;

  private static final int LEVEL = 6;
  private static final int BUFFER_BYTES = 8192;

  private final byte name;
  private final byte[] dictionary;

  /// A format without a dictionary.
  public DeflatedForm(int name) {
    this(name, new byte[0]);
  }

  DeflatedForm(int name, byte[] dictionary) {
    this.name = (byte) name;
    this.dictionary = dictionary.clone();
  }

  public byte[] deflate(byte[] bytes) {
    Deflater deflater = new Deflater(LEVEL, true);
    try {
      if (dictionary.length > 0) {
        deflater.setDictionary(dictionary);
      }
      deflater.setInput(bytes);
      deflater.finish();
      ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length / 3 + 64);
      out.write(name);
      byte[] buffer = new byte[BUFFER_BYTES];
      while (!deflater.finished()) {
        out.write(buffer, 0, deflater.deflate(buffer));
      }
      return out.toByteArray();
    } finally {
      deflater.end();
    }
  }

  /// The bytes that were deflated.
  ///
  /// @throws IllegalArgumentException when `stored` does not have this format, or inflates to more
  ///   than [#INFLATED_BYTES_MAX]
  public byte[] inflate(byte[] stored) {
    if (stored.length < 2 || stored[0] != name) {
      throw new IllegalArgumentException("stored bytes of an unknown form");
    }
    Inflater inflater = new Inflater(true);
    try {
      if (dictionary.length > 0) {
        inflater.setDictionary(dictionary);
      }
      inflater.setInput(stored, 1, stored.length - 1);
      ByteArrayOutputStream out = new ByteArrayOutputStream(stored.length * 4);
      byte[] buffer = new byte[BUFFER_BYTES];
      while (!inflater.finished()) {
        int count = inflater.inflate(buffer);
        if (count == 0 && !inflater.finished()) {
          throw new IllegalArgumentException("stored bytes that do not inflate");
        }
        if (out.size() + count > INFLATED_BYTES_MAX) {
          throw new IllegalArgumentException("stored bytes that inflate to too many");
        }
        out.write(buffer, 0, count);
      }
      return out.toByteArray();
    } catch (DataFormatException e) {
      throw new IllegalArgumentException("stored bytes that do not inflate", e);
    } finally {
      inflater.end();
    }
  }
}
