package dev.runyard.runner.process;

import java.time.Duration;

/// Elapsed time and waiting, as a port, so that waits can be tested without waiting. This time only
/// moves forward, even if the machine's clock is set.
public interface Pacer {

  /// Nanoseconds since some fixed moment.
  long nanoTime();

  /// Waits that long.
  void pause(Duration length) throws InterruptedException;

  /// The machine's own time.
  static Pacer system() {
    return new Pacer() {
      @Override
      public long nanoTime() {
        return System.nanoTime();
      }

      @Override
      public void pause(Duration length) throws InterruptedException {
        Thread.sleep(length);
      }
    };
  }
}
