package dev.runyard.simulator;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.problem.Failure;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the log says of the last attempt of a run.
///
/// @param id empty if there was none
/// @param began whether it says that its agent was started
/// @param end null if it says of none
record LastAttempt(String id, boolean began, RunEvent.@Nullable AttemptEnd end) {
  private static final LastAttempt NONE = new LastAttempt("", false, null);

  static LastAttempt of(List<StoredEvent> events) {
    LastAttempt last = NONE;
    for (StoredEvent stored : events) {
      last =
          switch (stored.event()) {
            case RunEvent.AttemptStarted started ->
                new LastAttempt(started.attemptId(), false, null);
            case RunEvent.ProcessStarted _ -> new LastAttempt(last.id, true, last.end);
            case RunEvent.AttemptEnd ended -> new LastAttempt(last.id, last.began, ended);
            case RunEvent.StateChange _,
                RunEvent.Output _,
                RunEvent.Interaction _,
                RunEvent.Notice _ ->
                last;
          };
    }
    return last;
  }

  /// True if nobody told of its end, or only somebody who missed its runner.
  boolean unheard() {
    return end == null
        || (end instanceof RunEvent.AttemptFailed failed
            && failed.error().code().equals(Failure.RUNNER_LOST));
  }
}
