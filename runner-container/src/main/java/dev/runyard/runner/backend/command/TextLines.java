package dev.runyard.runner.backend.command;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.run.Attempt;
import dev.runyard.runner.backend.OutputParser;
import dev.runyard.runner.backend.cli.CliOutcome;
import java.util.List;

/// Output that is the answer itself. Not thread-safe.
final class TextLines implements OutputParser {
  private final CliOutcome outcome;
  private boolean writing;

  TextLines(String agent) {
    this.outcome = new CliOutcome(agent, "the arguments in the agents file");
  }

  @Override
  public List<RunEvent> line(String line) {
    outcome.understood();
    String text = writing ? "\n" + line : line;
    writing = true;
    return text.isEmpty() ? List.of() : List.of(new RunEvent.ModelDelta(text));
  }

  @Override
  public Ending end(Attempt.Exit exit, String stderr) {
    if (Integer.valueOf(0).equals(exit.code())) {
      outcome.finished();
    }
    return new Ending(
        writing ? List.of(new RunEvent.ModelCompleted()) : List.of(),
        outcome.failure(exit, stderr));
  }
}
