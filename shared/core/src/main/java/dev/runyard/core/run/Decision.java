package dev.runyard.core.run;

import dev.runyard.core.event.RunEvent;
import java.util.List;

/// The answer of [RunDecider] to a command.
public sealed interface Decision {
  /// Append these events.
  record Append(List<RunEvent> events) implements Decision {
    public Append {
      events = List.copyOf(events);
      if (events.isEmpty()) {
        throw new IllegalArgumentException("nothing to append is a Stay");
      }
    }
  }

  /// Nothing to do: the state is already what the command wants, or does not concern it.
  record Stay() implements Decision {}

  /// Not now: check again after [Limits#ALIVE_SECONDS] whether the open attempt has written.
  ///
  /// @param beat when it last wrote; only to be compared for equality
  record Defer(long beat) implements Decision {}

  /// The command is not allowed in this state.
  record Refuse(Reason reason) implements Decision {}

  /// Why a command is refused.
  enum Reason {
    /// There is no such run.
    NO_RUN,
    /// The run exists already.
    EXISTS,
    /// The run has ended.
    CLOSED,
    /// Another attempt holds the run, or this attempt has ended.
    FENCED,
    /// The run pauses before its next attempt.
    NOT_YET,
    /// A newer release accepted the run, and this one cannot execute it.
    NEWER,
    /// Output was reported after the process had ended.
    AFTER_EXIT,
    /// The run is being cancelled.
    CANCELLING,
    /// The run never asked for this action.
    NO_ACTION,
    /// The action is decided already, or its time is over.
    DECIDED,
    /// An action of this type cannot be decided this way.
    NOT_APPLICABLE,
    /// The answer is not one of the action's choices.
    NOT_OFFERED,
    /// The message id was used with another content.
    MISMATCH,
    /// The run has accepted as many messages as it may.
    FULL
  }

  static Decision append(RunEvent... events) {
    return new Append(List.of(events));
  }

  static Decision stay() {
    return new Stay();
  }

  static Decision refuse(Reason reason) {
    return new Refuse(reason);
  }
}
