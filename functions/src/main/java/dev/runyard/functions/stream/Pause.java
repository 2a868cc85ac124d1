package dev.runyard.functions.stream;

import java.time.Duration;

/// How a stream waits. Injected, so that tests wait for nothing.
@FunctionalInterface
interface Pause {
  void pause(Duration duration) throws InterruptedException;
}
