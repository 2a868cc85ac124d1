package dev.runyard.core.projection;

import dev.runyard.core.log.DeflatedForm;
import java.nio.charset.StandardCharsets;

/// The stored form of a snapshot's JSON: one byte that names the format, then the text deflated. It
/// costs fewer write units than the text, and fits an item whatever an agent writes: even control
/// characters, which take six bytes of JSON each.
public final class SnapshotBody {
  private static final DeflatedForm PLAIN = new DeflatedForm(1);

  private SnapshotBody() {}

  public static byte[] encode(String json) {
    return PLAIN.deflate(json.getBytes(StandardCharsets.UTF_8));
  }

  /// The JSON of a stored body.
  ///
  /// @throws IllegalArgumentException when the bytes are not a snapshot's body
  public static String decode(byte[] body) {
    return new String(PLAIN.inflate(body), StandardCharsets.UTF_8);
  }
}
