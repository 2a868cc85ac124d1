package dev.runyard.core.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.runyard.core.event.EventTypes;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.SampleEvents;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.usage.Usage;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class RunFoldTest {
  private static final Instant START = SampleStates.START;
  private static final Instant LATER = SampleStates.CLAIMED.plusSeconds(60);

  /// What every event that is not in [#MOVES] does: it is folded in and the state stays.
  private static final String STAYS =
      """
      absent: illegal
      created: Created
      retrying: Retrying
      claimed, running, exited, succeeded, failed: InProgress
      cancelling-idle: CancellingIdle
      cancelling-claimed, cancelling-running, cancelling-exited: Cancelling
      cancelling-succeeded, cancelling-failed: Cancelling
      Completed, Failed, Cancelled: illegal
      asked, asked-failed: Awaiting
      answered: InProgress
      paused, decided: Paused
      resuming: Retrying
      """;

  private static final String ATTEMPT_ONLY =
      """
      absent, created, retrying, cancelling-idle: illegal
      claimed, running, exited, succeeded, failed: InProgress
      cancelling-claimed, cancelling-running, cancelling-exited: Cancelling
      cancelling-succeeded, cancelling-failed: Cancelling
      Completed, Failed, Cancelled: illegal
      asked, asked-failed: Awaiting
      answered: InProgress
      paused, decided, resuming: illegal
      """;

  private static final Map<String, String> MOVES =
      Map.ofEntries(
          Map.entry(
              "task.created",
              """
              absent: Created
              created, retrying, claimed, running, exited, succeeded, failed: illegal
              cancelling-idle, cancelling-claimed, cancelling-running: illegal
              cancelling-exited, cancelling-succeeded, cancelling-failed: illegal
              Completed, Failed, Cancelled: illegal
              asked, asked-failed, answered, paused, decided, resuming: illegal
              """),
          Map.entry(
              "task.queued",
              """
              absent: illegal
              created: Created
              retrying, claimed, running, exited, succeeded, failed: Retrying
              cancelling-idle: CancellingIdle
              cancelling-claimed, cancelling-running, cancelling-exited: Cancelling
              cancelling-succeeded, cancelling-failed: Cancelling
              Completed, Failed, Cancelled: illegal
              asked, asked-failed, answered, paused, decided, resuming: Retrying
              """),
          Map.entry(
              "task.attempt.started",
              """
              absent: illegal
              created, retrying, claimed, running, exited, succeeded, failed: InProgress
              cancelling-idle, cancelling-claimed, cancelling-running: Cancelling
              cancelling-exited, cancelling-succeeded, cancelling-failed: Cancelling
              Completed, Failed, Cancelled: illegal
              asked, asked-failed, paused: Awaiting
              answered, decided, resuming: InProgress
              """),
          Map.entry(
              "task.cancel_requested",
              """
              absent: illegal
              created, retrying, cancelling-idle: CancellingIdle
              claimed, running, exited, succeeded, failed: Cancelling
              cancelling-claimed, cancelling-running, cancelling-exited: Cancelling
              cancelling-succeeded, cancelling-failed: Cancelling
              Completed, Failed, Cancelled: illegal
              asked, asked-failed, answered: Cancelling
              paused, decided, resuming: CancellingIdle
              """),
          Map.entry(
              "task.updated",
              """
              absent: illegal
              created: Created
              claimed, running, exited, succeeded, failed, answered: InProgress
              asked, asked-failed: Awaiting
              retrying, resuming, paused, decided: Paused
              cancelling-idle: CancellingIdle
              cancelling-claimed, cancelling-running, cancelling-exited: Cancelling
              cancelling-succeeded, cancelling-failed: Cancelling
              Completed, Failed, Cancelled: illegal
              """),
          Map.entry(
              "action.required",
              """
              absent: illegal
              created: Created
              retrying, resuming: Retrying
              claimed, running, exited, succeeded, failed: Awaiting
              asked, asked-failed, answered: Awaiting
              paused, decided: Paused
              cancelling-idle: CancellingIdle
              cancelling-claimed, cancelling-running, cancelling-exited: Cancelling
              cancelling-succeeded, cancelling-failed: Cancelling
              Completed, Failed, Cancelled: illegal
              """),
          Map.entry(
              "task.paused",
              """
              absent, created, retrying, cancelling-idle, paused, decided, resuming: illegal
              claimed, running, exited, succeeded, failed, asked, asked-failed, answered: Paused
              cancelling-claimed, cancelling-running, cancelling-exited: Cancelling
              cancelling-succeeded, cancelling-failed: Cancelling
              Completed, Failed, Cancelled: illegal
              """),
          Map.entry("process.started", ATTEMPT_ONLY),
          Map.entry("process.completed", ATTEMPT_ONLY),
          Map.entry("process.failed", ATTEMPT_ONLY),
          Map.entry("task.attempt.completed", ATTEMPT_ONLY),
          Map.entry("task.attempt.failed", ATTEMPT_ONLY),
          Map.entry(
              "task.completed",
              """
              absent, created, cancelling-idle: illegal
              retrying, claimed, running, exited, succeeded, failed: Completed
              cancelling-claimed, cancelling-running, cancelling-exited: Completed
              cancelling-succeeded, cancelling-failed: Completed
              Completed, Failed, Cancelled: illegal
              asked, asked-failed, answered, paused, decided, resuming: Completed
              """),
          Map.entry("task.failed", endsIn("Failed")),
          Map.entry("task.timed_out", endsIn("Failed")),
          Map.entry("task.lost", endsIn("Failed")),
          Map.entry("task.cancelled", endsIn("Cancelled")));

  private final SampleStates samples = new SampleStates(RetryPolicy.NEVER);

  @Test
  void knowsWhatEveryEventMakesOfEveryState() {
    for (RunEvent event : SampleEvents.all()) {
      new StateTable(MOVES.getOrDefault(EventTypes.nameOf(event), STAYS))
          .check(samples.all(), state -> outcome(state, event));
    }
  }

  @Test
  void testsAnEventOfEveryType() {
    Set<Class<?>> tested =
        SampleEvents.all().stream().map(Object::getClass).collect(Collectors.toSet());

    assertEquals(SampleEvents.types(), tested);
  }

  /// A chunk carries the new state only for events that are said to change it.
  @Test
  void changesStatusAndPhaseOnlyByEventsThatSaySo() {
    Set<String> silent = new TreeSet<>();
    for (RunEvent event : SampleEvents.all()) {
      for (RunState state : samples.all().values()) {
        if (!outcome(state, event).equals("illegal")
            && !(event instanceof RunEvent.StateChange)
            && state instanceof RunState.Existing before
            && SampleStates.then(before, event) instanceof RunState.Existing after
            && !(before.status() == after.status() && before.phase().equals(after.phase()))) {
          silent.add(EventTypes.nameOf(event));
        }
      }
    }

    assertEquals(Set.of(), silent);
  }

  @Test
  void refusesAGapAndARepetition() {
    RunState created = samples.created();

    assertThrows(IllegalStateException.class, () -> evolve(created, created.sequence()));
    assertThrows(IllegalStateException.class, () -> evolve(created, created.sequence() + 2));
    assertEquals(4, evolve(created, created.sequence() + 1).sequence());
  }

  @Test
  void keepsTheRequestAsItWasMade() {
    RunState.Existing run = assertInstanceOf(RunState.Existing.class, samples.created());

    assertEquals(SampleStates.request(RetryPolicy.NEVER), run.facts().request());
    assertEquals(SampleStates.RUN, run.facts().run());
    assertEquals(START, run.facts().createdAt());
    assertNull(run.facts().startedAt());
    assertNull(run.facts().deadline());
  }

  @Test
  void countsRunTimeFromTheFirstClaim() {
    RunState.InProgress second =
        assertInstanceOf(
            RunState.InProgress.class,
            SampleStates.fold(
                samples.retrying(),
                LATER,
                new RunEvent.AttemptStarted(2, "attempt-2", "runner-2", "message-2")));

    assertEquals(2, second.facts().attempts());
    assertEquals(SampleStates.CLAIMED, second.facts().startedAt());
    assertEquals(
        SampleStates.CLAIMED.plusSeconds(600 + Limits.STOP_SECONDS), second.facts().deadline());
    assertEquals(LATER, second.attempt().startedAt());
    assertEquals(Attempt.Stage.CLAIMED, second.attempt().stage());
  }

  @Test
  void gathersWholeMessages() {
    RunState state =
        SampleStates.then(
            samples.running(),
            new RunEvent.ModelDelta("one "),
            new RunEvent.ModelDelta("👋"),
            new RunEvent.ModelCompleted(),
            new RunEvent.ModelCompleted(),
            new RunEvent.ModelDelta("unfinished"));

    assertEquals("one 👋", facts(state).finalText());
    assertEquals("unfinished", facts(state).message().value());
  }

  @Test
  void takesAnUnfinishedMessageForTheLastWords() {
    RunState state = SampleStates.then(samples.running(), new RunEvent.ModelDelta("unfinished"));

    assertEquals("unfinished", facts(state).finalText());
    assertNull(facts(samples.running()).finalText());
  }

  @Test
  void forgetsTheWordsOfAnEarlierAttempt() {
    RunState state =
        SampleStates.then(
            samples.running(),
            new RunEvent.ModelDelta("first try"),
            new RunEvent.ModelCompleted(),
            new RunEvent.ModelDelta("more"),
            new RunEvent.AttemptFailed(1, "attempt-1", SampleStates.FAILURE),
            new RunEvent.AttemptStarted(2, "attempt-2", "runner-2", "message-2"));

    assertNull(facts(state).finalText());
  }

  @Test
  void addsUpUsage() {
    RunState state =
        SampleStates.then(
            samples.running(),
            new RunEvent.CostRecorded(new Usage(10, 4, 2, 20, 5, 0.25, 1), "model-1"),
            new RunEvent.CostRecorded(new Usage(1, 1, 1, 1, 1, null, 1), null),
            new RunEvent.CostRecorded(new Usage(0, 0, 0, 0, 0.5), "model-2"));

    assertEquals(new Usage(11, 5, 3, 21, 6, 0.75, 2), facts(state).usage());
  }

  @Test
  void keepsHowTheProcessEnded() {
    RunState.Failed run =
        assertInstanceOf(
            RunState.Failed.class,
            SampleStates.then(
                SampleStates.failed(
                    SampleStates.then(
                        samples.running(),
                        new RunEvent.ProcessCompleted("process-1", null, 9, 1200))),
                new RunEvent.TaskTimedOut(SampleStates.FAILURE)));

    assertEquals(new Attempt.Exit(null, 9), run.attempt().orElseThrow().exit());
    assertEquals(SampleStates.FAILURE, run.attempt().orElseThrow().failure());
    assertEquals("timed_out", run.phase());
    assertEquals(RunStatus.FAILED, run.status());
    assertEquals(SampleStates.CLAIMED, run.finishedAt());
  }

  @Test
  void foldsAListAsItFoldsItsEvents() {
    List<StoredEvent> events =
        List.of(
            stored(4, new RunEvent.AttemptStarted(1, "attempt-1", "runner-1", "message-1")),
            stored(5, new RunEvent.SessionUpdated("native-1")));

    RunState state = RunFold.fold(samples.created(), events);

    assertEquals("native-1", facts(state).nativeSessionId());
    assertEquals(5, state.sequence());
  }

  private static String endsIn(String state) {
    return """
    absent: illegal
    created, retrying, claimed, running, exited, succeeded, failed, cancelling-idle: %s
    cancelling-claimed, cancelling-running, cancelling-exited: %s
    cancelling-succeeded, cancelling-failed: %s
    asked, asked-failed, answered, paused, decided, resuming: %s
    Completed, Failed, Cancelled: illegal
    """
        .formatted(state, state, state, state);
  }

  private static String outcome(RunState state, RunEvent event) {
    try {
      RunState after = SampleStates.then(state, event);
      return after instanceof RunState.InProgress run && run.awaiting()
          ? "Awaiting"
          : after.getClass().getSimpleName();
    } catch (IllegalStateException _) {
      return "illegal";
    }
  }

  private static RunState evolve(RunState state, long sequence) {
    return RunFold.evolve(state, stored(sequence, new RunEvent.RunStatus("queued")));
  }

  private static StoredEvent stored(long sequence, RunEvent event) {
    return new StoredEvent(
        SampleStates.RUN, "session-1", null, sequence, SampleStates.CLAIMED, event);
  }

  private static RunFacts facts(RunState state) {
    return assertInstanceOf(RunState.Existing.class, state).facts();
  }
}
