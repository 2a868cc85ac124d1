package dev.runyard.local.embedded;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Cuts off those who read a long answer and have taken nothing of it for a while: a write to them
/// holds a thread, and a place that others wait for. Thread-safe.
final class StalledReaders {
  /// How long a reader may take nothing.
  static final int STALLED_SECONDS_MAX = 60;

  /// A reader that takes this much is not stalled.
  private static final int BLOCK_BYTES = 16 * 1024;

  private final InstantSource clock;
  private final Set<Reading> all = ConcurrentHashMap.newKeySet();

  StalledReaders(InstantSource clock) {
    this.clock = clock;
  }

  /// Writes an answer.
  @FunctionalInterface
  interface Writing {
    void to(OutputStream out) throws IOException;
  }

  /// Has an answer written on this thread.
  ///
  /// @throws IOException also if its reader was cut off
  void write(OutputStream out, Writing writing) throws IOException {
    Reading reading = new Reading(Thread.currentThread(), clock.instant());
    all.add(reading);
    try {
      writing.to(new Taken(out, reading));
    } finally {
      all.remove(reading);
      reading.over();
    }
  }

  /// Looks once. A thread that is interrupted in a write closes its connection.
  void look() {
    Instant before = clock.instant().minusSeconds(STALLED_SECONDS_MAX);
    all.forEach(reading -> reading.cutOff(before));
  }

  private static final class Reading {
    private final Thread writer;
    private Instant last;
    private boolean over;

    Reading(Thread writer, Instant began) {
      this.writer = writer;
      this.last = began;
    }

    synchronized void took(Instant now) {
      last = now;
    }

    synchronized void cutOff(Instant before) {
      if (!over && last.isBefore(before)) {
        writer.interrupt();
      }
    }

    /// The thread has other work next.
    synchronized void over() {
      over = true;
      var _ = Thread.interrupted();
    }
  }

  private final class Taken extends OutputStream {
    private final OutputStream out;
    private final Reading reading;

    Taken(OutputStream out, Reading reading) {
      this.out = out;
      this.reading = reading;
    }

    @Override
    public void write(int one) throws IOException {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      for (int at = 0; at < length; at += BLOCK_BYTES) {
        out.write(bytes, offset + at, Math.min(BLOCK_BYTES, length - at));
        reading.took(clock.instant());
      }
    }
  }
}
