package dev.runyard.core.artifact;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Optional;

/// A long stream as numbered objects, one of which is in memory at a time.
final class Parts {
  /// Size of a part, which is in memory while an archive is written or read.
  static final int PART_BYTES = 8 * 1024 * 1024;

  private static final int FIRST_BYTES = 64 * 1024;

  private Parts() {}

  static String key(String prefix, int number) {
    return prefix + "/" + number;
  }

  /// Puts each part when it is full, and the last one on close.
  static final class Writer extends OutputStream {
    private final ArtifactStore store;
    private final String prefix;
    private byte[] part = new byte[FIRST_BYTES];
    private int filled;
    private int parts;

    Writer(ArtifactStore store, String prefix) {
      this.store = store;
      this.prefix = prefix;
    }

    /// Parts put so far.
    int parts() {
      return parts;
    }

    @Override
    public void write(int b) {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      int at = offset;
      int left = length;
      while (left > 0) {
        if (filled == PART_BYTES) {
          put();
        } else if (filled == part.length) {
          part = Arrays.copyOf(part, Math.min(2 * part.length, PART_BYTES));
        }
        int n = Math.min(left, part.length - filled);
        System.arraycopy(bytes, at, part, filled, n);
        filled += n;
        at += n;
        left -= n;
      }
    }

    @Override
    public void close() {
      if (filled > 0) {
        put();
      }
    }

    private void put() {
      store.put(key(prefix, parts), Arrays.copyOf(part, filled));
      parts++;
      filled = 0;
    }
  }

  /// Gets each part when the one before is used up.
  static final class Reader extends InputStream {
    private final ArtifactStore store;
    private final String prefix;
    private final int parts;
    private byte[] part = new byte[0];
    private int used;
    private int got;

    Reader(ArtifactStore store, String prefix, int parts) {
      this.store = store;
      this.prefix = prefix;
      this.parts = parts;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      if (length == 0) {
        return 0;
      }
      while (used == part.length) {
        if (got == parts) {
          return -1;
        }
        Optional<byte[]> next = store.get(key(prefix, got));
        part = next.orElseThrow(() -> new IOException("a part is gone"));
        got++;
        used = 0;
      }
      int n = Math.min(length, part.length - used);
      System.arraycopy(part, used, bytes, offset, n);
      used += n;
      return n;
    }
  }
}
