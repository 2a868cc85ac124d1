package dev.runyard.core.log;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.run.RunState;

/// Where a fold may start instead of at the first event: a state that stood at the end of a chunk.
@FunctionalInterface
public interface Snapshots {
  /// A state of the run at some chunk's end, [RunState.Absent] where none is kept.
  RunState latest(RunKey run);

  /// Keeps a state that took long to fold, for the next one who asks. True when it can be found
  /// from now on.
  default boolean keep(RunState.Existing run) {
    return false;
  }

  static Snapshots none() {
    return _ -> RunState.absent();
  }
}
