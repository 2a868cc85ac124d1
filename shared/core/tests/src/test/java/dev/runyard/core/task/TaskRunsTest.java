package dev.runyard.core.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.ActionRequired;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.Requester;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.event.TaskWaiting;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.TaskIds;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What a task makes of what its runs do.
final class TaskRunsTest {
  private final TaskRig rig = new TaskRig();

  @Test
  void aRunThatSomebodyCancelledDoesNotStartAgainAfterAPause() {
    RunKey run = rig.started("t1");
    rig.cases.cancelRun().cancel(run, "enough", "key:k1");
    TaskRig.done(rig.manage.pause(TaskRig.BY, "t1", "later"));
    rig.tell(run);
    rig.assertStatus("paused", "t1");
    TaskRig.done(rig.manage.resume(TaskRig.BY, "t1"));
    rig.advance("t1");

    rig.assertStatus("failed", "t1");
    assertEquals(1, rig.task("t1").attempts().size());
  }

  /// The run that was taken back for a pause was the last one that may be.
  @Test
  void whatHasNoRunLeftFails() {
    rig.created("t1");
    for (int i = 1; i < TaskLimits.RUNS_MAX; i++) {
      rig.submitted("t1");
    }
    for (TaskAttempt attempt : rig.task("t1").attempts()) {
      RunKey run = new RunKey("acme", attempt.runId());
      rig.work(run, false);
      rig.tell(run);
    }
    TaskRig.done(rig.manage.retry(TaskRig.BY, "t1", "again", null, null));
    RunKey last = rig.run("t1");
    TaskRig.done(rig.manage.pause(TaskRig.BY, "t1", "later"));
    rig.tell(last);
    TaskRig.done(rig.manage.resume(TaskRig.BY, "t1"));
    rig.advance("t1");

    rig.assertStatus("failed", "t1");
    assertEquals("task_full", Optional.ofNullable(rig.task("t1").lastError()).orElseThrow().code());
  }

  /// One process saw that the run waits, another one before it writes that it goes on.
  @Test
  void whatARunIsDoingNowWins() {
    RunKey run = rig.started("t1");
    rig.claim(run);
    rig.tell(run);
    rig.assertStatus("running", "t1");
    String attempt = "a-" + run.runId();
    ActionRequired asks =
        new ActionRequired(
            "act",
            ActionType.PERMISSION,
            "May I?",
            null,
            List.of(),
            900,
            rig.clock.instant().plusSeconds(900),
            null);
    RunEvent waits = new TaskWaiting("act", ActionType.PERMISSION.phase());
    rig.cases.runs().execute(run, new RunCommand.Report(attempt, List.of(asks, waits)));
    RunState waiting = rig.cases.runs().load(run);
    assertEquals("waiting_permission", waiting.phase());
    rig.cases
        .resolveAction()
        .resolve(run, "act", ActionDecision.APPROVE, null, Requester.of("client"));
    rig.tell(run);
    rig.tasks.advanceTask().told(waiting);

    rig.assertStatus("running", "t1");
    assertEquals(attempt, rig.task("t1").attempts().getFirst().attemptId());
  }

  @Test
  void eventsOfItsRunsNameTheTasksAbove() {
    rig.created("top");
    rig.created("middle", "\"parent_task_id\":\"top\"");
    RunKey run = rig.started("low", "\"parent_task_id\":\"middle\"");
    RunKey beside = rig.submitted("top");
    rig.work(run, true);
    rig.tell(run);

    for (Chunk chunk : rig.log.chunksAfter(run, 0)) {
      for (StoredEvent stored : chunk.events(EventCodec.RUNS)) {
        assertEquals(new TaskIds("low", "top"), stored.turn().above());
      }
    }
    StoredEvent first =
        rig.log.chunksAfter(beside, 0).getFirst().events(EventCodec.RUNS).getFirst();
    assertEquals(new TaskIds("top", "top"), first.turn().above());
    String line = EventCodec.RUNS.json(first);
    assertTrue(line.contains("\"parentTaskId\":\"top\",\"rootTaskId\":\"top\""), line);
  }

  /// Whoever finds a run that is named and not there writes it with the same.
  @Test
  void aRunThatIsWrittenLaterNamesThemToo() {
    rig.created("top");
    rig.created("low", "\"parent_task_id\":\"top\"");
    RunKey run = new RunKey("acme", rig.manage.draw());
    RunRequest request = TaskRig.request("low").inSession("s1");
    var _ = rig.tasks.startTask().tell(run, request, Requester.of("key:k1"));
    rig.tasks.advanceTask().check(TaskRig.key("low"));

    RunState.Existing written = (RunState.Existing) rig.cases.runs().load(run);
    assertEquals(new TaskIds("low", "top"), written.facts().request().turnOf(run).above());
  }

  /// Whoever linked a task that failed died before it was looked at the edge.
  @Test
  void sweepLooksAtEdgesOfWhatHasFailed() {
    rig.created("a");
    rig.created("b");
    TaskCommand.Link begun =
        new TaskCommand.Link(EdgeKind.BLOCKED_BY, "a", TaskEdge.Status.PENDING, null, null);
    rig.tasks.log().execute(TaskRig.key("b"), rig.tasks.log().load(TaskRig.key("b")), begun);
    TaskRig.done(rig.manage.fail(TaskRig.BY, "b", "no"));
    rig.tasks.projectTask().project(TaskRig.key("b"));
    rig.pass(Duration.ofSeconds(TaskState.STEP_SECONDS));
    rig.sweep();

    assertEquals(List.of("a"), rig.task("b").blockers());
    assertEquals(List.of("b"), rig.task("a").to(EdgeKind.BLOCKS));
  }
}
