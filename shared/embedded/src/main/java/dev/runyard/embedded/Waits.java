package dev.runyard.embedded;

import java.time.Duration;

/// How somebody waits for a doorbell: on the time of this machine, or as a test has it.
@FunctionalInterface
interface Waits {
  Waits REAL = Doorbell::await;

  /// Waits until the bell was rung more often than `seen`, no longer than `longest`.
  void await(Doorbell bell, long seen, Duration longest) throws InterruptedException;
}
