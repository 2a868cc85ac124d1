package dev.runyard.core.projection;

import java.util.List;
import java.util.Optional;

/// One page of a list of jobs or of tasks, newest first, and the place after which the next page
/// begins.
public record ModelPage<S>(List<S> states, Optional<String> next) {
  public ModelPage {
    states = List.copyOf(states);
  }
}
