package dev.runyard.simulator;

import dev.runyard.core.wakeup.Wakeups;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Wake-ups of which every third look shows the one before, and which are removed after a day.
final class SimulatedWakeups implements Wakeups {
  private static final int STALE_LOOK = 3;
  private static final Duration KEPT = Duration.ofDays(1);

  private final InstantSource clock;
  private final Expiry expiry;
  private final Map<String, Marks> runners = new HashMap<>();
  private long looks;

  SimulatedWakeups(InstantSource clock, Expiry expiry) {
    this.clock = clock;
    this.expiry = expiry;
  }

  private record Marks(String last, @Nullable String before, Instant removedAt) {}

  @Override
  public void send(String runner, String mark) {
    Marks there = runners.get(runner);
    Instant removed = expiry.removedAt(clock.instant().plus(KEPT));
    runners.put(runner, new Marks(mark, there == null ? null : there.last(), removed));
  }

  @Override
  public Optional<String> last(String runner) {
    Marks there = runners.get(runner);
    boolean stale = ++looks % STALE_LOOK == 0;
    return there == null || !there.removedAt().isAfter(clock.instant())
        ? Optional.empty()
        : Optional.ofNullable(stale ? there.before() : there.last());
  }
}
