package dev.runyard.runner.process;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/// The last bytes an agent wrote to its standard error, kept in memory to find out why it failed.
///
/// Everything is read, so that an agent never blocks on a full pipe, and everything but the end is
/// dropped.
final class StderrTail {

  private static final int READ_BYTES = 8_192;

  private final byte[] ring;
  private long total;

  StderrTail(int bytesMax) {
    ring = new byte[bytesMax];
  }

  /// Reads until the end of the stream or until it is closed.
  void drain(InputStream stream) {
    byte[] chunk = new byte[READ_BYTES];
    try (stream) {
      for (int count = stream.read(chunk); count >= 0; count = stream.read(chunk)) {
        add(chunk, count);
      }
    } catch (IOException e) {
      return;
    }
  }

  synchronized String text() {
    int kept = (int) Math.min(total, ring.length);
    byte[] tail = new byte[kept];
    for (int i = 0; i < kept; i++) {
      tail[i] = ring[(int) ((total - kept + i) % ring.length)];
    }
    return new String(tail, StandardCharsets.UTF_8);
  }

  private synchronized void add(byte[] chunk, int count) {
    for (int i = 0; i < count; i++) {
      ring[(int) ((total + i) % ring.length)] = chunk[i];
    }
    total += count;
  }
}
