package dev.runyard.core.projection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.TaskWaiting;
import dev.runyard.core.ids.ActionId;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.interaction.Question;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.log.Snapshots;
import dev.runyard.core.memory.MemoryEventLog;
import dev.runyard.core.memory.MemoryReadModels;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunDecider;
import dev.runyard.core.run.RunState;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// What a runner's fold begins with.
final class WholeSnapshotsTest {
  private static final RunKey RUN = new RunKey("default", "019c0000-0000-7000-8000-000000000001");
  private static final String ASKED = ActionId.of(RUN, 1);
  private static final String PENDING = ActionId.of(RUN, 2);
  private final SettableClock clock = new SettableClock(Instant.parse("2026-03-01T12:00:00Z"));
  private final Ids ids = new RandomIds(new Random(3));
  private final MemoryEventLog log = new MemoryEventLog();
  private final MemoryReadModels models = new MemoryReadModels();
  private final RunLog runs =
      new RunLog(log, Snapshots.none(), RunDecider.rules(), clock, ids, "test");
  private final WholeSnapshots whole = new WholeSnapshots(models, log);

  /// What snapshots leave out is read from its places in the log.
  @Test
  void hasWhatAnAgentNeedsOfALongRun() {
    running();
    talk(WholeSnapshots.EVENTS_SHORT);
    ask(ASKED);
    say("m-1", "take the left");
    decide(ASKED, "left");
    say("m-2", "and then the right");
    talk(10);
    ask(PENDING);
    RunState fold = saved();

    assertEquals(Optional.of(fold), whole.latest(RUN));
  }

  @Test
  void aRunThatEndedIsAsItsSnapshotHasIt() {
    running();
    talk(WholeSnapshots.EVENTS_SHORT);
    report(new RunEvent.AttemptCompleted(1, "attempt-1"));
    runs.execute(RUN, new RunCommand.Advance(clock.instant()));
    saved();

    assertEquals(models.snapshot(RUN).map(there -> there), whole.latest(RUN));
  }

  @Test
  void aShortRunIsFoldedFromItsFirstEvent() {
    running();
    saved();
    assertEquals(Optional.empty(), whole.latest(RUN));

    talk(WholeSnapshots.EVENTS_SHORT - (int) runs.load(RUN).sequence());
    saved();
    assertEquals(Optional.empty(), whole.latest(RUN));

    talk(1);
    RunState fold = saved();
    assertEquals(Optional.of(fold), whole.latest(RUN));
  }

  @Test
  void aRunWithoutASnapshotIsFoldedFromItsFirstEvent() {
    running();
    talk(WholeSnapshots.EVENTS_SHORT);

    assertEquals(Optional.empty(), whole.latest(RUN));
  }

  /// Older snapshots do not say where in the log an action is.
  @Test
  void aSnapshotWithoutPlacesIsNoBeginning() {
    running();
    withoutPlaces();

    assertEquals(Optional.empty(), whole.latest(RUN));
  }

  /// Else each load would begin at the first event, and stop at the same place.
  @Test
  void aLoadGoesOnWhereTheOneBeforeItStoppedThoughANewerSnapshotIsNoBeginning() {
    running();
    RunState read = runs.load(RUN);
    whole.keep(read);
    withoutPlaces();

    assertEquals(Optional.of(read), whole.latest(RUN));
  }

  /// A runner saves nothing.
  @Test
  void aLoadGoesOnWhereTheOneBeforeItStoppedUnlessTheSnapshotIsNewer() {
    running();
    talk(WholeSnapshots.EVENTS_SHORT);
    RunState read = runs.load(RUN);
    assertTrue(whole.keep(read));

    assertEquals(Optional.of(read), whole.latest(RUN));
    assertEquals(Optional.empty(), models.snapshot(RUN));

    talk(1);
    RunState newer = saved();
    assertEquals(Optional.of(newer), whole.latest(RUN));
  }

  private void withoutPlaces() {
    talk(WholeSnapshots.EVENTS_SHORT);
    ask(ASKED);
    long at = runs.load(RUN).sequence() - 1;
    String old =
        SnapshotCodec.encode((RunState.Existing) runs.load(RUN))
            .replace("\"sequence\":" + at + "}", "\"sequence\":0}");
    models.save(SnapshotCodec.decode(old));
  }

  private RunState saved() {
    RunState state = runs.load(RUN);
    models.save((RunState.Existing) state);
    return state;
  }

  private void running() {
    RunRequest request =
        new RunRequest(
            "echo",
            "say much",
            RUN.runId(),
            Map.of(),
            List.of(),
            null,
            3600,
            Map.of("TOKEN", "s3cret"),
            Map.of(),
            RetryPolicy.NEVER);
    runs.execute(RUN, new RunCommand.Submit(request));
    runs.execute(RUN, new RunCommand.Claim("attempt-1", "runner", "ticket", clock.instant()));
  }

  private void talk(int events) {
    report(Collections.nCopies(events, new RunEvent.RunStatus("running")).toArray(RunEvent[]::new));
  }

  private void ask(String action) {
    report(
        Question.of(action, ActionType.QUESTION, "Which?").asked(clock.instant()),
        new TaskWaiting(action, ActionType.QUESTION.phase()));
  }

  private void say(String id, String content) {
    runs.execute(RUN, new RunCommand.Message(id, content, null));
  }

  private void decide(String action, String answer) {
    runs.execute(
        RUN,
        new RunCommand.Resolve(
            action, ActionDecision.ANSWER, Question.answer(answer), "somebody", clock.instant()));
  }

  private void report(RunEvent... events) {
    runs.execute(RUN, new RunCommand.Report("attempt-1", List.of(events)));
  }
}
