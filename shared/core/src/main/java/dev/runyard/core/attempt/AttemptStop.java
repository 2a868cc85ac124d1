package dev.runyard.core.attempt;

import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.Failure;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Why an attempt ends its agent, and until when it waits for that. An agent that is still there
/// then is abandoned: its run must end although a process cannot be ended. Not thread-safe.
final class AttemptStop {
  private @Nullable Failure stopped;
  private @Nullable String pausing;
  private Instant leaveBy = Instant.MAX;
  private int secondsMax;

  /// True once the agent was told to end.
  boolean begun() {
    return stopped != null || pausing != null;
  }

  /// Has what the agent leaves stored before it counts as ended, which takes longer than its end.
  void pause(String why, AgentHandle agent, Instant now) {
    if (!begun()) {
      pausing = why;
      await(Limits.CLOSE_SECONDS_MAX, now);
      agent.pause();
    }
  }

  /// An agent that is being paused may still store what it leaves.
  void stop(Failure why, AgentHandle agent, Instant now) {
    if (stopped == null) {
      if (pausing == null) {
        await(Limits.LEAVE_SECONDS_MAX, now);
      }
      stopped = why;
      pausing = null;
      agent.stop(AgentHandle.Stop.GENTLY);
    }
  }

  /// Another attempt may have the run.
  void abandon(AgentHandle agent, Instant now) {
    agent.stop(AgentHandle.Stop.AT_ONCE);
    if (now.plusSeconds(Limits.LEAVE_SECONDS_MAX).isBefore(leaveBy)) {
      await(Limits.LEAVE_SECONDS_MAX, now);
    }
  }

  private void await(int seconds, Instant now) {
    secondsMax = seconds;
    leaveBy = now.plusSeconds(seconds);
  }

  /// The clock was set back to `now`.
  void rewind(Instant now) {
    if (leaveBy.isBefore(Instant.MAX)) {
      await(secondsMax, now);
    }
  }

  /// True when the agent should have ended by now.
  boolean overdue(Instant now) {
    return !now.isBefore(leaveBy);
  }

  /// When to step again, at the latest at `wake`.
  Instant wakeAt(Instant wake) {
    return leaveBy.isBefore(wake) ? leaveBy : wake;
  }

  /// What is written of an agent that is still there: nobody knows how its process ends, and no
  /// attempt may continue with what it works on.
  AgentSignal.Ended unended() {
    if (pausing != null) {
      stopped = AttemptEnd.notKept();
      pausing = null;
    }
    return new AgentSignal.Ended(Optional.empty(), 0, Optional.empty(), 1);
  }

  /// The end of an agent that finished before it could be stopped for crossing a bound; or of a
  /// paused one, if not all that another attempt needs to continue is stored, or a process of it is
  /// left that may change that.
  AgentSignal.Ended judged(
      AgentSignal.Ended end, AttemptWatch watch, @Nullable AttemptClosing closing) {
    if (stopped != null) {
      return end;
    }
    if (pausing != null) {
      boolean kept = (closing == null || closing.keptAll()) && end.processesLeft() == 0;
      return kept || end.failure().isEmpty() ? end : end.because(Optional.of(AttemptEnd.notKept()));
    }
    return end.because(watch.blocked().or(end::failure).or(watch::spent));
  }

  AttemptEnd end(AttemptClaim claim, boolean started) {
    return AttemptEnd.of(claim, started, pausing, stopped);
  }
}
