package dev.runyard.core.run;

import dev.runyard.core.problem.Failure;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// One try to complete a run: who claimed it, with which queue message, and how far it got.
///
/// @param continuation true when it continues where a paused attempt stopped
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
  /// How far an attempt got. Only an open attempt may write.
  public enum Stage {
    CLAIMED,
    RUNNING,
    EXITED,
    SUCCEEDED,
    FAILED,
    PAUSED,
    /// It ended with its runner before its agent was started: another one begins in its place.
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

  /// True when no agent was started. A runner that stops records that itself, after the agent's end
  /// if there was an agent; if a runner is lost after `process.started`, nobody knows whether the
  /// agent ran.
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

  /// True when its runner stopped and handed it back, which does not count as a try.
  boolean noTry() {
    return stage == Stage.HANDED_BACK
        && failure != null
        && failure.code().equals(Failure.RUNNER_STOPPED);
  }

  /// True when the next attempt continues where a paused one stopped.
  boolean continues() {
    return stage == Stage.PAUSED || (stage == Stage.HANDED_BACK && continuation);
  }
}
