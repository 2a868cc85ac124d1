package dev.runyard.runner.kept;

import dev.runyard.core.ids.Digest;
import java.nio.ByteBuffer;

/// The SHA-256 of a piece, 32 bytes as four numbers.
record PieceHash(long a, long b, long c, long d) {
  static final int BYTES = 32;

  static PieceHash of(byte[] content) {
    return read(ByteBuffer.wrap(Digest.of(content)));
  }

  static PieceHash read(ByteBuffer bytes) {
    return new PieceHash(bytes.getLong(), bytes.getLong(), bytes.getLong(), bytes.getLong());
  }

  byte[] bytes() {
    return ByteBuffer.allocate(BYTES).putLong(a).putLong(b).putLong(c).putLong(d).array();
  }
}
