package dev.runyard.core.memory;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/// A clock that moves only when told to.
public final class SettableClock implements InstantSource {
  private Instant now;

  public SettableClock(Instant start) {
    this.now = start;
  }

  @Override
  public synchronized Instant instant() {
    return now;
  }

  public synchronized void set(Instant instant) {
    now = instant;
  }

  public synchronized void advance(Duration duration) {
    now = now.plus(duration);
  }
}
