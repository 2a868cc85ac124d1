package dev.runyard.core.attempt;

import dev.runyard.core.log.RunLog;
import dev.runyard.core.run.RunState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Claims a run. If an earlier attempt is over, what that attempt left on this machine is ended,
/// whoever wrote its end: a function may have, or this process by a write whose answer was lost.
final class AttemptClaiming {
  private final RunLog runs;
  private final AgentLauncher launcher;
  private final AttemptClaim claim;
  private @Nullable String before;
  private boolean unanswered;

  AttemptClaiming(RunLog runs, AgentLauncher launcher, AttemptClaim claim) {
    this.runs = runs;
    this.launcher = launcher;
    this.claim = claim;
  }

  /// Tries to claim the run; if there is no answer it may be called again.
  RunLog.Outcome claim(Instant now) {
    RunState there = runs.load(claim.run());
    if (before == null) {
      before = other(there);
    }
    unanswered = true;
    RunLog.Outcome outcome = runs.execute(claim.run(), there, claim.command(now));
    unanswered = false;
    String former = before;
    if (former != null && !former.equals(other(outcome.state()))) {
      launcher.endLost(claim.run(), former);
    }
    return outcome;
  }

  /// True while the run may be this attempt's without its knowing.
  boolean unanswered() {
    return unanswered;
  }

  /// The other attempt that a run has, or had before it was queued again.
  private @Nullable String other(RunState state) {
    return switch (state) {
      case RunState.Claimed run ->
          run.attempt().stage().open() && !run.attempt().id().equals(claim.attemptId())
              ? run.attempt().id()
              : null;
      case RunState.Retrying run -> run.last().id();
      case RunState.Absent _,
          RunState.Created _,
          RunState.Paused _,
          RunState.CancellingIdle _,
          RunState.Closed _ ->
          null;
    };
  }
}
