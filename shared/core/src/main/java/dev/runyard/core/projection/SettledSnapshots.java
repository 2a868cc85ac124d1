package dev.runyard.core.projection;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.log.Snapshots;
import dev.runyard.core.run.RunState;
import java.time.InstantSource;
import java.util.Optional;

/// Snapshots of runs that are old enough to have a useful one. A younger run's log is short, and is
/// read from its first event for less than a look at its snapshot costs.
public record SettledSnapshots(Snapshots<RunState> kept, InstantSource clock)
    implements Snapshots<RunState> {
  /// By then a run has 10,000 events at the most.
  static final int AGE_MILLIS_MIN = 2_000;

  @Override
  public Optional<RunState> latest(StreamKey key) {
    boolean young = RunKey.of(key).madeAt().plusMillis(AGE_MILLIS_MIN).isAfter(clock.instant());
    return young ? Optional.empty() : kept.latest(key);
  }

  @Override
  public boolean keep(RunState state) {
    return kept.keep(state);
  }
}
