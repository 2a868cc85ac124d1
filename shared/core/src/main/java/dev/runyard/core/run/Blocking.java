package dev.runyard.core.run;

import dev.runyard.core.event.TaskBlocked;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import java.time.Instant;
import java.util.Optional;

/// The rules of failing starts of runners: a run that waits for one records why, each cause once,
/// and ends when that lasts, whichever cause is the newest by then: causes may take turns.
final class Blocking {
  /// What is said of a run that no runner took, before what to do.
  static final String NOT_TAKEN = "No runner took the run in time.";

  private Blocking() {}

  /// The failure of a run that no runner took, if starts failed while it waited: that may be long
  /// ago, but is more than can be said of the number of runners.
  static Optional<Failure> notTaken(RunState.Waiting waiting) {
    return Optional.ofNullable(waiting.blocked())
        .map(
            told ->
                new Failure(
                    Failure.NOT_STARTED,
                    Category.CAPACITY,
                    NOT_TAKEN + " While it waited: " + told.error().message()));
  }

  static Decision block(RunState.Open state, RunCommand.Block block) {
    return switch (state) {
      case RunState.Created run -> block(run.facts(), run.waiting(), block);
      case RunState.Retrying run -> block(run.facts(), run.waiting(), block);
      case RunState.InProgress _,
          RunState.Paused _,
          RunState.CancellingIdle _,
          RunState.Cancelling _ ->
          Decision.stay();
    };
  }

  /// A run that pauses before its next attempt does not wait for a runner yet, and one that a newer
  /// release accepted waits for that.
  private static Decision block(RunFacts facts, RunState.Waiting waiting, RunCommand.Block block) {
    if (block.now().isBefore(waiting.startsAt()) || RunForm.newer(facts.form())) {
      return Decision.stay();
    }
    RunState.Blocked told = waiting.blocked();
    if (told != null && block.noRunner() && over(told.since(), block)) {
      return AdvanceRules.failed(facts, block.failure());
    }
    return told != null && told.tells(block.cause())
        ? Decision.stay()
        : Decision.append(new TaskBlocked(block.cause(), block.failure()));
  }

  /// Whether a run that was first told so then has waited for as long as it may.
  private static boolean over(Instant told, RunCommand.Block block) {
    Instant broken = block.brokenSince();
    return passed(told, block.since(), Limits.BLOCKED_SECONDS_MAX, block.now())
        || (broken != null && passed(told, broken, Limits.BROKEN_SECONDS_MAX, block.now()));
  }

  /// Whether so many seconds have passed since the later of both.
  private static boolean passed(Instant told, Instant failing, int seconds, Instant now) {
    Instant since = told.isAfter(failing) ? told : failing;
    return !now.isBefore(since.plusSeconds(seconds));
  }
}
