package dev.runyard.core.projection;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/// The stored form of a snapshot's JSON: one byte that names the form, then the text deflated. It
/// costs fewer write units than the text, and stays within an item whatever an agent says: a
/// control character, which takes six bytes of JSON, is then no dearer than any other.
public final class SnapshotBody {
  private static final byte DEFLATED = 1;
  private static final int LEVEL = 6;

  /// What a snapshot may inflate to; more is none of ours.
  private static final int INFLATED_BYTES_MAX = 64 * 1024 * 1024;

  private SnapshotBody() {}

  public static byte[] encode(String json) {
    byte[] text = json.getBytes(StandardCharsets.UTF_8);
    Deflater deflater = new Deflater(LEVEL, true);
    try {
      deflater.setInput(text);
      deflater.finish();
      ByteArrayOutputStream out = new ByteArrayOutputStream(text.length / 3 + 64);
      out.write(DEFLATED);
      byte[] buffer = new byte[8192];
      while (!deflater.finished()) {
        out.write(buffer, 0, deflater.deflate(buffer));
      }
      return out.toByteArray();
    } finally {
      deflater.end();
    }
  }

  /// The JSON of a stored body.
  ///
  /// @throws IllegalArgumentException when the bytes are not a snapshot's body
  public static String decode(byte[] body) {
    if (body.length < 2 || body[0] != DEFLATED) {
      throw new IllegalArgumentException("not a snapshot's body of a known form");
    }
    Inflater inflater = new Inflater(true);
    try {
      inflater.setInput(body, 1, body.length - 1);
      ByteArrayOutputStream out = new ByteArrayOutputStream(body.length * 4);
      byte[] buffer = new byte[8192];
      while (!inflater.finished()) {
        int count = inflater.inflate(buffer);
        if ((count == 0 && !inflater.finished()) || out.size() > INFLATED_BYTES_MAX) {
          throw new IllegalArgumentException("a snapshot's body that does not inflate");
        }
        out.write(buffer, 0, count);
      }
      return out.toString(StandardCharsets.UTF_8);
    } catch (DataFormatException e) {
      throw new IllegalArgumentException("a snapshot's body that does not inflate", e);
    } finally {
      inflater.end();
    }
  }
}
