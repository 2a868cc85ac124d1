package dev.runyard.runner.backend;

import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.AgentInput;
import dev.runyard.core.run.Attempt;
import java.util.List;
import java.util.Optional;

/// A CLI that is started and listened to, and to which nothing is said.
public record OneWay(CliDialect dialect) implements TalkDialect {
  @Override
  public List<Move> open() {
    return Move.tell(dialect.opening());
  }

  @Override
  public List<Move> line(String line) {
    return Move.tell(dialect.line(line));
  }

  @Override
  public List<Move.Prompt> input(AgentInput input) {
    return List.of(new Move.Refuse(input, AgentRun.TAKES_NONE));
  }

  @Override
  public List<Move.Prompt> stop() {
    return List.of();
  }

  @Override
  public Optional<Failure> giveUp() {
    return dialect.giveUp();
  }

  @Override
  public CliDialect.Ending end(Attempt.Exit exit, String stderr) {
    return dialect.end(exit, stderr);
  }
}
