package dev.runyard.runner.backend;

import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Attempt;
import java.util.List;
import java.util.Optional;

/// A CLI whose output is only read.
public record OutputOnly(OutputParser dialect) implements InteractiveProtocol {
  @Override
  public List<Effect> open() {
    return Effect.tell(dialect.opening());
  }

  @Override
  public List<Effect> line(String line) {
    return Effect.tell(dialect.line(line));
  }

  @Override
  public List<Effect.Prompt> input(AgentInput input) {
    return List.of(new Effect.Refuse(input, AgentControl.TAKES_NONE));
  }

  @Override
  public List<Effect.Prompt> stop() {
    return List.of();
  }

  @Override
  public Optional<Failure> giveUp() {
    return dialect.giveUp();
  }

  @Override
  public OutputParser.Ending end(Attempt.Exit exit, String stderr) {
    return dialect.end(exit, stderr);
  }
}
