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
    PAUSED,
    /// It ended with its runner, before its agent was started: another one begins where it did.
    HANDED_BACK;

    public boolean open() {
      return this == CLAIMED || this == RUNNING || this == EXITED;
    }
  }

  /// How the agent's process ended: an exit code, or the signal that ended it.
  public record Exit(@Nullable Integer code, @Nullable Integer signal) {}

  Attempt at(Stage next) {
    return with(next, exit, failure, processesLeft);
  }

  Attempt exited(Exit how) {
    return with(Stage.EXITED, how, failure, processesLeft);
  }

  Attempt failed(Failure why) {
    Stage next = handsBack(why.code()) ? Stage.HANDED_BACK : Stage.FAILED;
    return with(next, exit, why, processesLeft);
  }

  /// True when no agent was started. A runner that stops says so itself, and behind the end of the
  /// agent where it had one; of a runner that is lost nobody knows what it did behind the start.
  private boolean handsBack(String code) {
    return switch (code) {
      case Failure.RUNNER_STOPPED -> stage == Stage.CLAIMED || stage == Stage.RUNNING;
      case Failure.RUNNER_LOST -> stage == Stage.CLAIMED;
      case String _ -> false;
    };
  }

  Attempt left(int processes) {
    return with(stage, exit, failure, processes);
  }

  private Attempt with(Stage next, @Nullable Exit how, @Nullable Failure why, int left) {
    return new Attempt(number, id, runner, ticket, next, startedAt, how, why, continuation, left);
  }

  /// True when its runner gave it back in good order: it was no try.
  boolean noTry() {
    return stage == Stage.HANDED_BACK
        && failure != null
        && failure.code().equals(Failure.RUNNER_STOPPED);
  }

  /// True when the next attempt goes on where a paused one stood.
  boolean continues() {
    return stage == Stage.PAUSED || (stage == Stage.HANDED_BACK && continuation);
  }
}
