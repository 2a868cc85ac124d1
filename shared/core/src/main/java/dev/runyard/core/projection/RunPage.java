package dev.runyard.core.projection;

import dev.runyard.core.run.RunState;
import java.util.List;
import java.util.Optional;

/// One page of a list of runs, newest first, and the run id after which the next page begins.
public record RunPage(List<RunState.Existing> runs, Optional<String> next) {
  public RunPage {
    runs = List.copyOf(runs);
  }
}
