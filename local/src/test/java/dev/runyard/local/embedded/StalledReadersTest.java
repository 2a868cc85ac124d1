package dev.runyard.local.embedded;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.memory.SettableClock;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class StalledReadersTest {
  private static final Duration NEARLY = Duration.ofSeconds(StalledReaders.STALLED_SECONDS_MAX);

  private final SettableClock clock = new SettableClock(Instant.parse("2026-03-01T12:00:00Z"));
  private final StalledReaders readers = new StalledReaders(clock);

  @Test
  void cutsOffWhoTakesNothing() throws Exception {
    readers.write(
        new ByteArrayOutputStream(),
        out -> {
          clock.advance(NEARLY.plusMillis(1));
          readers.look();
          assertTrue(Thread.currentThread().isInterrupted());
        });

    assertFalse(Thread.currentThread().isInterrupted(), "its thread has other work");
  }

  @Test
  void leavesWhoTakesALittleAndWhoIsDone() throws Exception {
    readers.write(
        new ByteArrayOutputStream(),
        out -> {
          for (int i = 0; i < 5; i++) {
            clock.advance(NEARLY);
            readers.look();
            out.write(i);
          }
        });
    clock.advance(NEARLY.multipliedBy(2));
    readers.look();

    assertFalse(Thread.currentThread().isInterrupted());
  }

  @Test
  void writesAllOfIt() throws Exception {
    byte[] content = new byte[1_000_003];
    new Random(1).nextBytes(content);
    ByteArrayOutputStream written = new ByteArrayOutputStream();

    readers.write(
        written,
        out -> {
          out.write(content, 0, 10);
          out.write(content, 10, content.length - 10);
        });

    assertEquals(content.length, written.size());
    assertArrayEquals(content, written.toByteArray());
  }
}
