package dev.runyard.runner.gateway;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/// Puts stars in place of a key in an answer as it passes. Lengths stay, and nothing waits but an
/// end of what has come that may be the key's beginning. Not thread-safe.
final class KeyCover {
  /// Shorter keys are left in errors: they would be found in texts that do not contain them.
  static final int KEY_BYTES_MIN = 8;

  /// The same in what models answer, of which such a text would be missed.
  static final int ANSWERED_KEY_BYTES_MIN = 16;

  /// Covers nothing.
  static final KeyCover NONE = new KeyCover(new byte[0]);

  private static final int OK = 200;
  private static final int NOT_OK = 300;

  private final byte[] key;

  /// For each length of a beginning of the key, the length of the longest that it ends with.
  private final int[] shorter;

  private int found;

  private KeyCover(byte[] key) {
    this.key = key;
    this.shorter = new int[key.length + 1];
    for (int i = 1, length = 0; i < key.length; i++) {
      while (length > 0 && key[i] != key[length]) {
        length = shorter[length];
      }
      length += key[i] == key[length] ? 1 : 0;
      shorter[i + 1] = length;
    }
  }

  /// For an answer with this status.
  static KeyCover of(Optional<String> key, int status) {
    int least = status >= OK && status < NOT_OK ? ANSWERED_KEY_BYTES_MIN : KEY_BYTES_MIN;
    return key.map(text -> text.getBytes(StandardCharsets.UTF_8))
        .filter(bytes -> bytes.length >= least)
        .map(KeyCover::new)
        .orElse(NONE);
  }

  /// A whole text.
  String text(String text) {
    String secret = new String(key, StandardCharsets.UTF_8);
    return secret.isEmpty() ? text : text.replace(secret, "*".repeat(secret.length()));
  }

  /// What can be passed on now that these bytes have come.
  ByteBuffer next(ByteBuffer bytes) {
    if (key.length == 0 || (found == 0 && !contains(bytes, key[0]))) {
      return bytes;
    }
    ByteArrayOutputStream passed = new ByteArrayOutputStream(found + bytes.remaining());
    while (bytes.hasRemaining()) {
      byte next = bytes.get();
      while (found > 0 && key[found] != next) {
        passed.write(key, 0, found - shorter[found]);
        found = shorter[found];
      }
      if (key[found] != next) {
        passed.write(next);
      } else if (++found == key.length) {
        byte[] stars = new byte[found];
        Arrays.fill(stars, (byte) '*');
        passed.writeBytes(stars);
        found = 0;
      }
    }
    return ByteBuffer.wrap(passed.toByteArray());
  }

  /// What waited, when no more comes.
  ByteBuffer rest() {
    ByteBuffer waited = ByteBuffer.wrap(key, 0, found);
    found = 0;
    return waited;
  }

  private static boolean contains(ByteBuffer bytes, byte first) {
    for (int i = bytes.position(); i < bytes.limit(); i++) {
      if (bytes.get(i) == first) {
        return true;
      }
    }
    return false;
  }
}
