package dev.runyard.runner.backend;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Attempt;
import java.util.List;
import java.util.Optional;

/// What the output of one process of a CLI means. It is used by one thread and serves one process.
public interface OutputParser {
  /// What is to be told before anything the process prints.
  default List<RunEvent> opening() {
    return List.of();
  }

  /// The events of a line of standard output. Never throws for what a line says, and never passes a
  /// line on as it is (DR-0005).
  List<RunEvent> line(String line);

  /// Why the process is to be ended although it goes on; empty as long as it is not.
  default Optional<Failure> giveUp() {
    return Optional.empty();
  }

  /// How it ended, by meaning: exit codes of CLIs lie.
  ///
  /// @param stderr the end of standard error, of which nothing may be stored
  Ending end(Attempt.Exit exit, String stderr);

  /// The last events to tell, and the failure unless it did what was asked.
  record Ending(List<RunEvent> last, Optional<Failure> failure) {
    public Ending {
      last = List.copyOf(last);
    }
  }
}
