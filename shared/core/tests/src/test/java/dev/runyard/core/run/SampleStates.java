package dev.runyard.core.run;

import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.ActionRequired;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.event.TaskWaiting;
import dev.runyard.core.ids.ActionId;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.request.RunRequest;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A state of every kind, and of every stage of its attempt, folded from events: the run was
/// created at [#START] and claimed ten seconds later.
final class SampleStates {
  static final Instant START = Instant.parse("2026-03-01T12:00:00Z");
  static final Instant CLAIMED = START.plusSeconds(10);
  static final RunKey RUN = new RunKey("acme", "019c0000-0000-7000-8000-000000000001");
  static final String ACTION = ActionId.of(RUN, 1);
  static final Instant EXPIRES = CLAIMED.plusSeconds(1800);
  static final Failure FAILURE = Failure.backend("agent_error", "The agent ended with 1.");
  private static final RunEvent CANCEL = new RunEvent.CancelRequested("changed my mind");

  private final RetryPolicy retry;

  SampleStates(RetryPolicy retry) {
    this.retry = retry;
  }

  static RunRequest request(RetryPolicy retry) {
    return new RunRequest(
        "echo",
        "say hello",
        "session-1",
        Map.of(),
        List.of(),
        null,
        600,
        Map.of("LANG", "C"),
        Map.of(),
        retry);
  }

  /// Every state by its name.
  Map<String, RunState> all() {
    Map<String, RunState> states = new LinkedHashMap<>();
    states.put("absent", RunState.absent());
    states.put("created", created());
    states.put("retrying", retrying());
    states.put("claimed", claimed());
    states.put("running", running());
    states.put("exited", exited());
    states.put("succeeded", succeeded(exited()));
    states.put("failed", failed(exited()));
    states.put("asked", asked());
    states.put("asked-failed", failed(asked()));
    states.put("answered", answered(asked()));
    states.put("paused", paused());
    states.put("decided", answered(paused()));
    states.put("resuming", then(answered(paused()), new RunEvent.TaskQueued(2, 0, 0)));
    states.put("cancelling-idle", then(created(), CANCEL));
    states.put("cancelling-claimed", then(claimed(), CANCEL));
    states.put("cancelling-running", then(running(), CANCEL));
    states.put("cancelling-exited", then(exited(), CANCEL));
    states.put("cancelling-succeeded", succeeded(then(exited(), CANCEL)));
    states.put("cancelling-failed", failed(then(exited(), CANCEL)));
    states.put("Completed", then(succeeded(exited()), new RunEvent.TaskCompleted()));
    states.put("Failed", then(failed(exited()), new RunEvent.TaskFailed(FAILURE)));
    states.put("Cancelled", then(created(), CANCEL, new RunEvent.TaskCancelled("no")));
    return states;
  }

  RunState created() {
    RunRequest request = request(retry);
    return fold(
        RunState.absent(),
        START,
        new RunEvent.TaskCreated(
            request.agent(),
            request.extensions(),
            request.requires(),
            request.workingDir(),
            request.timeoutSeconds(),
            request.env(),
            request.tags(),
            retry),
        new RunEvent.TurnSubmitted(request.prompt()),
        new RunEvent.TaskQueued(1, 0, 0));
  }

  RunState claimed() {
    return then(created(), new RunEvent.AttemptStarted(1, "attempt-1", "runner-1", "message-1"));
  }

  RunState retrying() {
    return then(failed(claimed()), new RunEvent.TaskQueued(2, 0, 0));
  }

  RunState running() {
    return then(claimed(), new RunEvent.ProcessStarted("process-1", "echo"));
  }

  /// The agent asked a question that can be answered until [#EXPIRES].
  RunState asked() {
    return asked(ActionType.QUESTION);
  }

  RunState asked(ActionType type) {
    return then(
        running(),
        new ActionRequired(ACTION, type, "Which?", null, List.of(), 1800, EXPIRES, null),
        new TaskWaiting(ACTION, type.phase()));
  }

  RunState paused() {
    return then(asked(), new RunEvent.TaskPaused(1, "attempt-1", "awaiting"));
  }

  static RunState answered(RunState state) {
    return then(
        state, new RunEvent.ActionResolved(ACTION, ActionDecision.ANSWER, null, "somebody"));
  }

  RunState exited() {
    return then(running(), new RunEvent.ProcessCompleted("process-1", 0, null, 1200));
  }

  static RunState succeeded(RunState state) {
    return then(state, new RunEvent.AttemptCompleted(1, "attempt-1"));
  }

  static RunState failed(RunState state) {
    return then(state, new RunEvent.AttemptFailed(1, "attempt-1", FAILURE));
  }

  /// `state` after events at [#CLAIMED].
  static RunState then(RunState state, RunEvent... events) {
    return fold(state, CLAIMED, events);
  }

  static RunState fold(RunState from, Instant at, RunEvent... events) {
    RunState state = from;
    for (RunEvent event : events) {
      state =
          RunFold.evolve(
              state, new StoredEvent(RUN, "session-1", null, state.sequence() + 1, at, event));
    }
    return state;
  }
}
