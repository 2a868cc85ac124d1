package dev.runyard.core.access;

import dev.runyard.core.problem.Problem;
import java.util.Optional;

/// Says whose a request is, by what it shows.
@FunctionalInterface
public interface Authentication {
  Result of(Shown shown);

  /// What a request shows.
  ///
  /// @param authorization its header `Authorization`
  /// @param principal who signed it, as the gateway says
  record Shown(Optional<String> authorization, Optional<String> principal) {}

  /// Whose it is.
  sealed interface Result {
    record Known(Identity identity) implements Result {}

    record Refused(Problem problem) implements Result {}
  }

  /// Everybody is this one, whatever they show.
  static Authentication everybody(Identity identity) {
    return _ -> new Result.Known(identity);
  }
}
