package dev.runyard.functions.stream;

import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.log.StreamWatch;
import dev.runyard.testkit.threads.TestPatience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Pauses that last until the test says so.
final class Ticks implements StreamWatch {
  private static final long PATIENCE_NANOS = TestPatience.LONG.toNanos();
  private final List<Duration> pauses = new ArrayList<>();
  private int paused;
  private long generation;
  private boolean stopped;
  private @Nullable Runnable atOnce;

  @Override
  public synchronized void await(StreamKey stream, long sequence, Duration duration)
      throws InterruptedException {
    pauses.add(duration);
    paused++;
    notifyAll();
    long mine = generation;
    while (mine == generation && !stopped && atOnce == null) {
      wait();
    }
    if (atOnce != null) {
      atOnce.run();
    }
    if (stopped) {
      throw new InterruptedException();
    }
  }

  /// Waits until `count` streams pause.
  synchronized void awaitPaused(int count) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (paused < count) {
      long left = end - System.nanoTime();
      if (left <= 0) {
        throw new AssertionError(paused + " of " + count + " streams pause");
      }
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
  }

  /// Ends every pause that has begun.
  synchronized void tick() {
    generation++;
    paused = 0;
    notifyAll();
  }

  /// Ends every pause from now on at once, after `each`.
  synchronized void runFree(Runnable each) {
    atOnce = each;
    notifyAll();
  }

  synchronized void stop() {
    stopped = true;
    notifyAll();
  }

  synchronized List<Duration> pauses() {
    return List.copyOf(pauses);
  }
}
