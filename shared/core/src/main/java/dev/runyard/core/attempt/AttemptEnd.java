package dev.runyard.core.attempt;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The last events of an attempt: how the agent's process ended, and the attempt.
///
/// @param started whether the agent was started at all
/// @param pausing why it was ended to be continued elsewhere, if it was
/// @param stopped why it was ended otherwise
record AttemptEnd(
    String attemptId,
    String processId,
    boolean started,
    Optional<String> pausing,
    Optional<Failure> stopped) {
  /// Its run waits for a person.
  static final String AWAITING = "awaiting";

  /// Somebody wants its run to give its place up.
  static final String PUT_ASIDE = "put_aside";

  /// It ended by itself and well, but not all of it did.
  private static final String LEFT = "processes_left";

  static AttemptEnd of(
      AttemptClaim claim, boolean started, @Nullable String pausing, @Nullable Failure stopped) {
    return new AttemptEnd(
        claim.attemptId(),
        claim.processId(),
        started,
        Optional.ofNullable(pausing),
        Optional.ofNullable(stopped));
  }

  List<RunEvent> events(AgentSignal.Ended end, int number) {
    Optional<Failure> failure = stopped.or(end::failure);
    boolean paused =
        pausing.isPresent() && stopped.isEmpty() && failure.filter(AttemptEnd::leftAll).isPresent();
    List<RunEvent> events = new ArrayList<>();
    if (started && (stopped.isPresent() || paused || end.processesLeft() > 0)) {
      String reason = paused ? pausing.orElseThrow() : failure.map(Failure::code).orElse(LEFT);
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
            ? new RunEvent.TaskPaused(number, attemptId, pausing.orElseThrow())
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
        "What the agent remembers could not be kept when it was to wait, or a process of it that"
            + " could not be ended may still change that. Check what the agent had done, then"
            + " submit again.");
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

  static Failure timedOutUnstarted() {
    return new Failure(
        Failure.TIMED_OUT,
        Category.CALLER,
        "The run's time was over before its runner had all that the agent needs to start. Submit"
            + " again in a while or raise timeout_seconds.");
  }

  static Failure handedBack() {
    return new Failure(
        Failure.RUNNER_STOPPED,
        Category.CAPACITY,
        "The runner was stopped before it had started the agent. Submit again.");
  }

  static Failure putAside() {
    return new Failure(
        Failure.RUNNER_STOPPED,
        Category.CAPACITY,
        "The run was put aside before the runner had started the agent. It goes on when its task is"
            + " resumed.");
  }

  static Failure runnerStopped() {
    return new Failure(
        Failure.RUNNER_STOPPED,
        Category.CAPACITY,
        "The runner was stopped while the agent ran. Check what the agent had done, then submit"
            + " again.");
  }
}
