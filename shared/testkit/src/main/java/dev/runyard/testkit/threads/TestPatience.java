package dev.runyard.testkit.threads;

import java.time.Duration;

/// How long a test waits for what must happen.
///
/// It decides nothing but when a test that hangs is given up: on a slow machine that has other work
/// all takes as long as it takes, so a test never fails because something took longer than usual.
public final class TestPatience {
  public static final Duration LONG = Duration.ofMinutes(5);
  public static final long LONG_SECONDS = LONG.toSeconds();

  private TestPatience() {}
}
