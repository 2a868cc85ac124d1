package dev.runyard.functions;

import dev.runyard.testkit.threads.TestPatience;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/// What functions log, for tests that wait for it.
final class LogLines extends ByteArrayOutputStream {
  private static final long PATIENCE_NANOS = TestPatience.LONG.toNanos();

  @Override
  public synchronized void write(byte[] bytes, int offset, int length) {
    super.write(bytes, offset, length);
    notifyAll();
  }

  synchronized void await(String text) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!toString(StandardCharsets.UTF_8).contains(text)) {
      long left = end - System.nanoTime();
      if (left <= 0) {
        throw new AssertionError(text + " is not in the log");
      }
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
  }
}
