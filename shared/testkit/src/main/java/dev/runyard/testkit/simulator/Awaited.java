package dev.runyard.testkit.simulator;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/// What is done at a time. Nobody may wait for it: a history has one thread.
record Awaited(InstantSource clock, Instant at) implements Future<String> {
  @Override
  public boolean isDone() {
    return !clock.instant().isBefore(at);
  }

  @Override
  public String get() {
    if (!isDone()) {
      throw new IllegalStateException("waited for what is not done");
    }
    return "done";
  }

  @Override
  public String get(long timeout, TimeUnit unit) {
    return get();
  }

  @Override
  public boolean cancel(boolean mayInterrupt) {
    return false;
  }

  @Override
  public boolean isCancelled() {
    return false;
  }
}
