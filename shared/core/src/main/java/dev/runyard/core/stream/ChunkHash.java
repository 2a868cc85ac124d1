package dev.runyard.core.stream;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.HexFormat;

/// The digest of a chunk as it is stored, SHA-256. What is stored of a chunk includes the hash of
/// the one before, so a hash stands for all that is in the log up to there.
public final class ChunkHash {
  public static final int HASH_BYTES = 32;

  private final byte[] bytes;

  private ChunkHash(byte[] bytes) {
    this.bytes = bytes;
  }

  /// The hash with these bytes.
  ///
  /// @throws IllegalArgumentException when there are more or fewer than [#HASH_BYTES]
  public static ChunkHash of(byte[] bytes) {
    if (bytes.length != HASH_BYTES) {
      throw new IllegalArgumentException("a hash has " + HASH_BYTES + " bytes");
    }
    return new ChunkHash(bytes.clone());
  }

  /// Reads what [#toString] wrote.
  @JsonCreator
  public static ChunkHash parse(String text) {
    return of(HexFormat.of().parseHex(text));
  }

  public byte[] bytes() {
    return bytes.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ChunkHash hash && Arrays.equals(bytes, hash.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /// In hexadecimal digits.
  @JsonValue
  @Override
  public String toString() {
    return HexFormat.of().formatHex(bytes);
  }
}
