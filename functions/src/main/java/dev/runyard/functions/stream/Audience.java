package dev.runyard.functions.stream;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.wakeup.WakeRunner;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/// Tells runners that somebody watches one of their runs: then they write what its agent says soon,
/// instead of gathering it.
record Audience(RunLog runs, WakeRunner runners, InstantSource clock) {
  /// How often the runner of a watched run is told; it remembers for twice as long.
  static final int AGAIN_SECONDS = 30;

  /// The readers of a run.
  Of of(RunKey run) {
    return new Of(run);
  }

  /// The readers of one run. Not thread-safe.
  final class Of {
    private final RunKey run;
    private Instant nextAt = Instant.MIN;

    private Of(RunKey run) {
      this.run = run;
    }

    /// They have got these events. A new attempt may be at another runner.
    void got(List<StoredEvent> events) {
      if (events.stream().anyMatch(stored -> stored.event() instanceof RunEvent.AttemptStarted)) {
        nextAt = Instant.MIN;
      }
    }

    /// Tells the runner unless it was told a short time ago. If the store does not answer, it is
    /// told the next time.
    void tell() {
      Instant now = clock.instant();
      if (now.isBefore(nextAt)) {
        return;
      }
      nextAt = now.plusSeconds(AGAIN_SECONDS);
      try {
        runners.wake(runs.load(run));
      } catch (PortUnavailable _) {
        return;
      }
    }
  }
}
