package dev.runyard.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// What happens when the process is told to stop (Ctrl-C, SIGTERM) while this is open.
final class Interruption implements AutoCloseable {
  /// Longest time that cleaning up may delay the process's end.
  static final int CLEAN_UP_SECONDS_MAX = 30;

  private final Thread hook;
  private final CountDownLatch closed;

  private Interruption(Runnable action, CountDownLatch closed) {
    this.hook = new Thread(action, "interruption");
    this.closed = closed;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /// Only runs `action`; the process ends at once.
  static Interruption says(Runnable action) {
    return new Interruption(action, new CountDownLatch(1));
  }

  /// Interrupts the calling thread and lets it unwind: the process ends when this is closed.
  static Interruption unwinds() {
    Thread caller = Thread.currentThread();
    CountDownLatch closed = new CountDownLatch(1);
    return new Interruption(() -> unwind(caller, closed), closed);
  }

  @Override
  public void close() {
    closed.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException _) {
      return; // the process is already ending, and the hook has nothing left to do
    }
  }

  private static void unwind(Thread caller, CountDownLatch closed) {
    caller.interrupt();
    try {
      boolean _ = closed.await(CLEAN_UP_SECONDS_MAX, TimeUnit.SECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
