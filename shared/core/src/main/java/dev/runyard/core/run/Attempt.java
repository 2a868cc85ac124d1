package dev.runyard.core.run;

import dev.runyard.core.problem.Failure;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// One try at a run: who claimed it with which queue message, and how far it came.
///
/// @param continuation true when it goes on where a paused attempt stood
/// @param processesLeft processes of its agent that would not die
public record Attempt(
    int number,
    String id,
    String runner,
    String ticket,
    Stage stage,
    Instant startedAt,
    @Nullable Exit exit,
    @Nullable Failure failure,
    boolean continuation,
    int processesLeft) {

  /// How far an attempt came. Only an open attempt may write.
  public enum Stage {
    CLAIMED,
    RUNNING,
    EXITED,
    SUCCEEDED,
    FAILED,
    PAUSED;

    public boolean open() {
      return this == CLAIMED || this == RUNNING || this == EXITED;
    }
  }

  /// How the agent's process ended: an exit code, or the signal that ended it.
  public record Exit(@Nullable Integer code, @Nullable Integer signal) {}

  Attempt at(Stage next) {
    return new Attempt(
        number, id, runner, ticket, next, startedAt, exit, failure, continuation, processesLeft);
  }

  Attempt exited(Exit how) {
    return new Attempt(
        number,
        id,
        runner,
        ticket,
        Stage.EXITED,
        startedAt,
        how,
        failure,
        continuation,
        processesLeft);
  }

  Attempt failed(Failure why) {
    return new Attempt(
        number,
        id,
        runner,
        ticket,
        Stage.FAILED,
        startedAt,
        exit,
        why,
        continuation,
        processesLeft);
  }

  Attempt left(int processes) {
    return new Attempt(
        number, id, runner, ticket, stage, startedAt, exit, failure, continuation, processes);
  }
}
