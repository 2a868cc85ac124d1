package dev.runyard.core.attempt;

import java.time.Instant;

/// What an attempt wants after a step.
public sealed interface Step {
  /// Step again, at the latest then; earlier when the agent has signals.
  record Again(Instant notAfter) implements Step {}

  /// Step again, not before then: a port did not answer.
  record Pause(Instant until) implements Step {}

  /// No more steps: this is how the attempt ended for its runner.
  record Over(Verdict verdict) implements Step {}

  /// How an attempt ended.
  enum Verdict {
    /// Its end is in the log and its message is deleted.
    ENDED,
    /// The run did not need it: it has ended, or another attempt has it. Its message is deleted.
    NOT_NEEDED,
    /// The run's attempt may be alive elsewhere, or this runner stops: the message or a copy comes
    /// back.
    DEFERRED,
    /// A newer release accepted the run: its message comes back, and this runner must take no
    /// further run.
    OUTDATED,
    /// Another attempt took the run over; the agent was ended and nothing more was written.
    FENCED,
    /// Neither log nor queue answered for a lease's length, or the log for so long that the attempt
    /// will be taken for dead; the agent was ended.
    CUT_OFF,
    /// The agent should have ended and still lives: its runner must take no further run. Unless
    /// another attempt has the run, this one's end is in the log.
    STUCK
  }
}
