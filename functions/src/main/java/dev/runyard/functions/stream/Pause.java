package dev.runyard.functions.stream;

import java.time.Duration;

/// How a stream waits. Injected, so that tests need not wait.
@FunctionalInterface
interface Pause {
  void pause(Duration duration) throws InterruptedException;
}
