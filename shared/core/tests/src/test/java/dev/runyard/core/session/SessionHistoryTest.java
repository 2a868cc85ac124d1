package dev.runyard.core.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.advance.AdvanceRun;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.log.Snapshots;
import dev.runyard.core.memory.MemoryEventLog;
import dev.runyard.core.memory.MemoryPlaces;
import dev.runyard.core.memory.MemoryReadModels;
import dev.runyard.core.memory.MemoryRunQueue;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.message.Message;
import dev.runyard.core.message.MessagePart;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.projection.ProjectRun;
import dev.runyard.core.projection.SnapshotCodec;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunDecider;
import dev.runyard.core.run.RunState;
import dev.runyard.core.transcript.MessageEvents;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class SessionHistoryTest {
  private static final Message TIMED =
      new Message("user", List.of(MessagePart.text("hi")), "2026-03-01T12:00:00.123456Z", null);

  private final SettableClock clock = new SettableClock(Instant.parse("2026-03-01T12:00:00Z"));
  private final Ids ids = new RandomIds(new Random(3));
  private final MemoryEventLog log = new MemoryEventLog();
  private final MemoryReadModels models = new MemoryReadModels();
  private final RunLog runs =
      new RunLog(log, Snapshots.none(), RunDecider.rules(), clock, ids, "test");
  private final SessionHistory history = new SessionHistory(models, log);

  @Test
  void reportsWhatCompletedRunsOfTheSessionSaidInOrder() {
    RunKey first =
        run("s-1", List.of(TIMED), true, MessageEvents.whole(Message.text("agent", "one")));
    run("s-1", List.of(), false, MessageEvents.whole(Message.text("agent", "lost")));
    run("s-2", List.of(), true, MessageEvents.whole(Message.text("agent", "elsewhere")));
    RunKey last = run("s-1", List.of(), true, MessageEvents.whole(Message.text("agent", "two")));

    assertEquals(
        List.of(
            new SessionHistory.Entry(first, TIMED),
            new SessionHistory.Entry(first, Message.text("agent", "one")),
            new SessionHistory.Entry(last, Message.text("user", "prompt")),
            new SessionHistory.Entry(last, Message.text("agent", "two"))),
        history.of("acme", "s-1").orElseThrow());
  }

  @Test
  void knowsNoSessionWithoutARun() {
    assertTrue(history.of("acme", "s-1").isEmpty());
  }

  @Test
  void leavesOutWhatAnEarlierTrySaid() {
    List<RunEvent> events = new ArrayList<>(MessageEvents.whole(Message.text("agent", "tried")));
    events.add(new RunEvent.AttemptFailed(1, "a-1", Failure.backend("broke", "It broke.")));
    RunKey run = submit("s-1", List.of(), new RetryPolicy(2, List.of("*"), 0));
    report(run, "a-1", events);
    new AdvanceRun(
            runs, MemoryPlaces.turns(log, runs, new MemoryRunQueue(clock, 45), clock, ids), clock)
        .advance(run);
    end(run, "a-2", true, MessageEvents.whole(Message.text("agent", "done")));

    assertEquals(List.of("prompt", "done"), texts());
  }

  @Test
  void aSessionOfWhichNoRunCompletedHasAnEmptyHistory() {
    run("s-1", List.of(), false, MessageEvents.whole(Message.text("agent", "lost")));

    assertEquals(List.of(), history.of("acme", "s-1").orElseThrow());
  }

  @Test
  void leavesOldRunsOutOfALongHistory() {
    for (int i = 0; i <= SessionHistory.RUNS_MAX; i++) {
      run("s-1", List.of(), true, MessageEvents.whole(Message.text("agent", "answer " + i)));
    }

    List<String> said = texts();

    assertEquals(2 * SessionHistory.RUNS_MAX, said.size());
    assertEquals("answer 1", said.get(1));
  }

  @Test
  void leavesOutFromTheRunOnThatHasTooManyEvents() {
    run("s-1", List.of(), true, MessageEvents.whole(Message.text("agent", "one")));
    RunKey second = run("s-1", List.of(), true, MessageEvents.whole(Message.text("agent", "two")));
    RunKey last = run("s-1", List.of(), true, MessageEvents.whole(Message.text("agent", "three")));
    RunState.Existing there = models.snapshot(second).orElseThrow();
    long room = SessionHistory.EVENTS_MAX - models.snapshot(last).orElseThrow().sequence();

    models.save(at(there, room));
    assertEquals(List.of("prompt", "two", "prompt", "three"), texts());

    models.save(at(there, room + 1));
    assertEquals(List.of("prompt", "three"), texts());
  }

  /// The run as it would be shown with so many events.
  private static RunState.Existing at(RunState.Existing run, long sequence) {
    return SnapshotCodec.decode(
        SnapshotCodec.encode(run)
            .replace("\"sequence\":" + run.sequence(), "\"sequence\":" + sequence));
  }

  private List<String> texts() {
    return history.of("acme", "s-1").orElseThrow().stream()
        .map(entry -> entry.message().text())
        .toList();
  }

  private RunKey run(String session, List<Message> input, boolean succeeds, List<RunEvent> output) {
    RunKey run = submit(session, input, RetryPolicy.NEVER);
    end(run, "a-1", succeeds, output);
    return run;
  }

  private RunKey submit(String session, List<Message> input, RetryPolicy retry) {
    clock.advance(Duration.ofSeconds(1));
    RunKey run = new RunKey("acme", ids.runId(clock.instant()));
    RunRequest request =
        new RunRequest(
            "echo", "prompt", session, Map.of(), List.of(), null, 60, Map.of(), Map.of(), retry);
    runs.execute(run, new RunCommand.Submit(request.with(input)));
    return run;
  }

  private void end(RunKey run, String attempt, boolean succeeds, List<RunEvent> output) {
    List<RunEvent> events = new ArrayList<>(output);
    events.add(
        succeeds
            ? new RunEvent.AttemptCompleted(1, attempt)
            : new RunEvent.AttemptFailed(1, attempt, Failure.backend("broke", "It broke.")));
    report(run, attempt, events);
    new AdvanceRun(
            runs, MemoryPlaces.turns(log, runs, new MemoryRunQueue(clock, 45), clock, ids), clock)
        .advance(run);
    new ProjectRun(runs, models).project(run);
  }

  private void report(RunKey run, String attempt, List<RunEvent> events) {
    runs.execute(run, new RunCommand.Claim(attempt, "r", "t-" + attempt, clock.instant()));
    runs.execute(run, new RunCommand.Report(attempt, events));
  }
}
