package dev.runyard.core.run;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;

/// The end of an attempt whose runner is gone.
final class LostAttempt {
  static final Failure LOST =
      new Failure(
          Failure.RUNNER_LOST,
          Category.INTERNAL,
          "The runner was lost while the agent ran. Check what the agent had done, then submit"
              + " again.");

  private static final Failure LOST_BEFORE_START =
      new Failure(
          Failure.RUNNER_LOST,
          Category.INTERNAL,
          "The runner was lost before it had started the agent. Submit again.");

  private LostAttempt() {}

  /// A pause if that loses nothing, else a failure.
  static RunEvent end(RunFacts facts, Attempt attempt) {
    return pausable(facts, attempt)
        ? new RunEvent.TaskPaused(attempt.number(), attempt.id(), Failure.RUNNER_LOST)
        : failed(attempt);
  }

  static RunEvent failed(Attempt attempt) {
    Failure why = attempt.stage() == Attempt.Stage.CLAIMED ? LOST_BEFORE_START : LOST;
    return new RunEvent.AttemptFailed(attempt.number(), attempt.id(), why);
  }

  /// True when the agent can only have been waiting for a person: nothing it did is lost, and
  /// another attempt continues where it stopped. One that had not begun has something to continue
  /// only if it was itself to continue what an earlier one had left.
  private static boolean pausable(RunFacts facts, Attempt attempt) {
    return switch (attempt.stage()) {
      case CLAIMED -> attempt.continuation() && facts.interactions().holds();
      case RUNNING -> facts.interactions().holds();
      case EXITED, SUCCEEDED, FAILED, PAUSED, HANDED_BACK -> false;
    };
  }
}
