package dev.runyard.core.run;

import dev.runyard.core.event.TaskBlocked;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import java.time.Instant;
import java.util.Optional;

/// The rules of failing starts of runners: a run that waits for one records why, once per cause,
/// and ends when that lasts.
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
    if (told == null || !told.cause().equals(block.cause())) {
      return Decision.append(new TaskBlocked(block.cause(), block.failure()));
    }
    Instant since = told.since().isAfter(block.since()) ? told.since() : block.since();
    boolean over = !block.now().isBefore(since.plusSeconds(block.secondsMax()));
    return over && block.noRunner() ? AdvanceRules.failed(facts, block.failure()) : Decision.stay();
  }
}
