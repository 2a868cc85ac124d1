package dev.runyard.runner.backend;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Attempt;
import java.util.List;
import java.util.Optional;

/// Turns the output of one process of a CLI into events. An instance is used by one thread and
/// serves one process.
public interface OutputParser {
  /// The events before anything the process prints.
  default List<RunEvent> opening() {
    return List.of();
  }

  /// The events of a line of standard output. Never throws because of a line, and never passes a
  /// line on unchanged (DR-0005).
  List<RunEvent> line(String line);

  /// Why the process must be ended although it still runs; empty if it need not be.
  default Optional<Failure> giveUp() {
    return Optional.empty();
  }

  /// How it ended, by meaning, because exit codes of CLIs are unreliable.
  ///
  /// @param stderr the end of standard error, which must not be stored
  Ending end(Attempt.Exit exit, String stderr);

  /// The last events, and the failure unless it succeeded.
  record Ending(List<RunEvent> last, Optional<Failure> failure) {
    public Ending {
      last = List.copyOf(last);
    }
  }
}
