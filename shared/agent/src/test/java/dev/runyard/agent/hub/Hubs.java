package dev.runyard.agent.hub;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;

/// Hubs with numbered events and a fixed time.
public final class Hubs {
  private Hubs() {}

  public static LocalHub hub(String sessionId) {
    AtomicInteger events = new AtomicInteger();
    return new LocalHub(
        sessionId,
        () -> "event-" + events.incrementAndGet(),
        InstantSource.fixed(Instant.parse("2026-01-01T00:00:00Z")),
        _ -> {});
  }
}
