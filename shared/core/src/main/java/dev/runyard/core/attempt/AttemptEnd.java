package dev.runyard.core.attempt;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The last events of an attempt: how the agent's process ended, and the attempt.
///
/// @param started whether the agent was started at all
/// @param pausing whether it was ended because its run waits for a person
/// @param stopped why it was ended otherwise
record AttemptEnd(
    String attemptId,
    String processId,
    boolean started,
    boolean pausing,
    Optional<Failure> stopped) {
  private static final String PAUSED = "awaiting";

  List<RunEvent> events(AgentSignal.Ended end, int number) {
    Optional<Failure> failure = stopped.or(end::failure);
    boolean paused =
        pausing && stopped.isEmpty() && failure.filter(AttemptEnd::leftAll).isPresent();
    List<RunEvent> events = new ArrayList<>();
    if (started && (stopped.isPresent() || paused)) {
      String reason = stopped.map(Failure::code).orElse(PAUSED);
      events.add(new RunEvent.ProcessTerminated(processId, reason, end.processesLeft()));
    }
    if (end.exit().isPresent()) {
      events.add(
          new RunEvent.ProcessCompleted(
              processId, end.exit().get().code(), end.exit().get().signal(), end.durationMillis()));
    } else if (started && failure.isPresent()) {
      events.add(new RunEvent.ProcessFailed(processId, failure.get()));
    }
    events.add(
        paused
            ? new RunEvent.TaskPaused(number, attemptId, PAUSED)
            : failure
                .<RunEvent>map(why -> new RunEvent.AttemptFailed(number, attemptId, why))
                .orElseGet(() -> new RunEvent.AttemptCompleted(number, attemptId)));
    return events;
  }

  /// True when everything another attempt needs was stored.
  private static boolean leftAll(Failure failure) {
    return !failure.code().equals(Failure.WORKSPACE_NOT_KEPT);
  }

  static Failure notKept() {
    return new Failure(
        Failure.WORKSPACE_NOT_KEPT,
        Category.CAPACITY,
        "What the agent remembers could not be kept while it waits for a person. Check what the"
            + " agent had done, then submit again.");
  }

  static Failure cancelled() {
    return new Failure(Failure.CANCELLED, Category.CALLER, "cancelled");
  }

  static Failure timedOut() {
    return new Failure(
        Failure.TIMED_OUT,
        Category.CALLER,
        "The run took longer than its timeout. Raise timeout_seconds or ask for less.");
  }

  static Failure handedBack() {
    return new Failure(
        Failure.RUNNER_STOPPED,
        Category.CAPACITY,
        "The runner was stopped before it had started the agent. Submit again.");
  }

  static Failure runnerStopped() {
    return new Failure(
        Failure.RUNNER_STOPPED,
        Category.CAPACITY,
        "The runner was stopped while the agent ran. Check what the agent had done, then submit"
            + " again.");
  }
}
