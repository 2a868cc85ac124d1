package dev.runyard.core.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.runyard.core.event.Requester;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.request.TaskRun;
import dev.runyard.core.submit.SubmitRun;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What tasks have to do with each other.
final class TaskLinksTest {
  private final TaskRig rig = new TaskRig();

  @Test
  void blocksHoldsAStartBackUntilTheBlockerCompletes() {
    rig.created("first");
    rig.created("second");
    TaskRig.done(rig.link("first", EdgeKind.BLOCKS, "second"));
    TaskRig.done(rig.manage.start(TaskRig.BY, "second", null));
    rig.advance("second");
    rig.assertStatus("blocked", "second");
    assertEquals(List.of("first"), rig.task("second").blockers());
    TaskRig.done(rig.manage.start(TaskRig.BY, "first", null));
    rig.ends("first", false);
    rig.assertStatus("blocked", "second");
    TaskRig.done(rig.manage.retry(TaskRig.BY, "first", "again", null, null));
    rig.ends("first", true);
    rig.advance("second");

    rig.assertStatus("queued", "second");
    rig.ends("second", true);
    rig.assertStatus("completed", "second");
  }

  @Test
  void sweepStartsWhatNobodyTold() {
    rig.created("first");
    rig.created("second");
    TaskRig.done(rig.link("second", EdgeKind.BLOCKED_BY, "first"));
    TaskRig.done(rig.manage.start(TaskRig.BY, "second", null));
    rig.tasks.projectTask().project(TaskRig.key("second"));
    TaskRig.done(rig.manage.complete(TaskRig.BY, "first", null));
    rig.pass(Duration.ofSeconds(TaskState.CHECK_SECONDS));
    rig.sweep();

    rig.assertStatus("queued", "second");
  }

  /// Also one that is paused, or was not asked to start: what it waits for is read by people and
  /// decides which commands it takes.
  @Test
  void sweepTellsWhoeverWaitsThatTheBlockerIsCompleted() {
    rig.created("first");
    for (String waiting : List.of("idle", "paused")) {
      rig.created(waiting);
      TaskRig.done(rig.link(waiting, EdgeKind.BLOCKED_BY, "first"));
    }
    TaskRig.done(rig.manage.pause(TaskRig.BY, "paused", "later"));
    TaskRig.done(rig.manage.start(TaskRig.BY, "paused", null));
    for (String waiting : List.of("idle", "paused")) {
      rig.tasks.projectTask().project(TaskRig.key(waiting));
    }
    TaskRig.done(rig.manage.complete(TaskRig.BY, "first", null));
    rig.pass(Duration.ofSeconds(TaskState.CHECK_SECONDS));
    rig.sweep();

    assertEquals(List.of(), rig.task("idle").blockers());
    assertEquals(List.of(), rig.task("paused").blockers());
    TaskRig.done(rig.manage.complete(TaskRig.BY, "idle", null));
  }

  @Test
  void whoWaitsStartsThoughTheBlockerIsArchivedAtOnce() {
    rig.created("first");
    rig.created("second");
    TaskRig.done(rig.link("second", EdgeKind.BLOCKED_BY, "first"));
    TaskRig.done(rig.manage.start(TaskRig.BY, "second", null));
    TaskRig.done(rig.manage.complete(TaskRig.BY, "first", null));
    TaskRig.done(rig.manage.archive(TaskRig.BY, "first"));
    rig.advance("first");
    rig.advance("second");

    rig.assertStatus("queued", "second");
  }

  /// A task that waits for it is another one, and may stop to do so.
  @Test
  void whatWasPutAwayKeepsItsEdges() {
    rig.created("first");
    rig.created("second");
    rig.created("third");
    TaskRig.done(rig.link("second", EdgeKind.BLOCKED_BY, "first"));
    TaskRig.done(rig.manage.archive(TaskRig.BY, "first"));

    assertEquals("task_closed", TaskRig.code(rig.unlink("first", EdgeKind.BLOCKS, "second")));
    assertEquals(List.of("first"), rig.task("second").blockers());
    assertEquals("done false", TaskRig.code(rig.unlink("first", EdgeKind.BLOCKS, "third")));
    assertEquals("done true", TaskRig.code(rig.unlink("second", EdgeKind.BLOCKED_BY, "first")));
    assertEquals(List.of(), rig.task("second").blockers());
  }

  @Test
  void completesOnceNothingElseHoldsThatBack() {
    for (boolean unlinked : List.of(true, false)) {
      String first = "first-" + unlinked;
      String second = "second-" + unlinked;
      rig.created(first);
      rig.started(second);
      TaskRig.done(rig.link(second, EdgeKind.BLOCKED_BY, first));
      rig.ends(second, true);
      rig.assertStatus("waiting_input", second);
      if (unlinked) {
        TaskRig.done(rig.unlink(second, EdgeKind.BLOCKED_BY, first));
      } else {
        TaskRig.done(rig.manage.complete(TaskRig.BY, first, null));
        rig.advance(first);
      }

      rig.assertStatus("completed", second);
    }
  }

  @Test
  void aRunThatEndedDuringAPauseCountsOnceThatIsOver() {
    RunKey run = rig.started("t1");
    TaskLog log = rig.tasks.log();
    TaskKey key = TaskRig.key("t1");
    var _ = log.execute(key, log.load(key), new TaskCommand.Pause("later", Requester.of("key:k1")));
    rig.work(run, true);
    rig.tell(run);
    rig.assertStatus("paused", "t1");
    TaskRig.done(rig.manage.resume(TaskRig.BY, "t1"));

    rig.assertStatus("completed", "t1");
  }

  @Test
  void aCancelReachesNoTaskThatIsNotBelow() {
    rig.created("above");
    rig.created("beside");
    TaskRig.done(rig.link("above", EdgeKind.CHILD, "beside"));
    TaskKey beside = TaskRig.key("beside");
    TaskLog log = rig.tasks.log();
    var _ =
        log.execute(
            beside,
            log.load(beside),
            new TaskCommand.Unlink(EdgeKind.PARENT, "above", false, null, Requester.of("key:k1")));
    TaskRig.done(rig.manage.cancel(TaskRig.BY, "above", "enough"));
    rig.advance("above");

    rig.assertStatus("accepted", "beside");
  }

  @Test
  void nothingStartsBeforeWhatWaits() {
    rig.created("first");
    rig.created("second");
    TaskRig.done(rig.link("second", EdgeKind.BLOCKED_BY, "first"));
    TaskRig.done(rig.manage.start(TaskRig.BY, "second", null));
    long held = rig.task("second").heldAt();
    TaskRig.done(rig.manage.complete(TaskRig.BY, "first", null));
    RunRequest request =
        new RunRequest(
                "echo",
                "x",
                "",
                Map.of(),
                List.of(),
                null,
                60,
                Map.of(),
                Map.of(),
                RetryPolicy.NEVER)
            .of(new TaskRun("second", null, null));
    var rejected =
        assertInstanceOf(
            SubmitRun.Result.Rejected.class,
            rig.cases.submitRun().submit(TaskRig.BY, request, Optional.empty()));

    assertEquals("task_blocked", rejected.problem().code().code());
    assertEquals(held, rig.task("second").heldAt());
  }

  @Test
  void anUnlinkedTaskStarts() {
    rig.created("first");
    rig.created("second");
    TaskRig.done(rig.link("second", EdgeKind.BLOCKED_BY, "first"));
    TaskRig.done(rig.manage.start(TaskRig.BY, "second", null));
    TaskRig.done(rig.unlink("first", EdgeKind.BLOCKS, "second"));
    rig.advance("second");

    rig.assertStatus("queued", "second");
    assertEquals(List.of(), rig.task("first").edges());
    assertEquals("done false", TaskRig.code(rig.unlink("first", EdgeKind.BLOCKS, "second")));
  }

  @Test
  void circlesAreRefused() {
    for (String id : List.of("a", "b", "c")) {
      rig.created(id);
    }
    TaskRig.done(rig.link("a", EdgeKind.BLOCKS, "b"));
    TaskRig.done(rig.link("b", EdgeKind.BLOCKS, "c"));
    TaskRig.done(rig.link("a", EdgeKind.CHILD, "b"));

    assertEquals("task_cycle", TaskRig.code(rig.link("c", EdgeKind.BLOCKS, "a")));
    assertEquals("task_cycle", TaskRig.code(rig.link("a", EdgeKind.BLOCKED_BY, "a")));
    assertEquals("task_cycle", TaskRig.code(rig.link("a", EdgeKind.PARENT, "b")));
    assertEquals(List.of(), rig.task("a").to(EdgeKind.BLOCKED_BY));
    assertEquals(List.of(), rig.task("c").to(EdgeKind.BLOCKS));
    assertEquals("task_full", TaskRig.code(rig.link("b", EdgeKind.PARENT, "c")));
    assertEquals("task_not_found", TaskRig.code(rig.link("a", EdgeKind.BLOCKS, "z")));
    assertEquals("task_not_found", TaskRig.code(rig.link("z", EdgeKind.BLOCKS, "a")));
  }

  @Test
  void chainsAreOnlySoDeep() {
    for (int i = 0; i <= TaskLimits.DEPTH_MAX; i++) {
      rig.created("p" + i);
    }
    for (int i = 1; i < TaskLimits.DEPTH_MAX; i++) {
      TaskRig.done(rig.link("p" + i, EdgeKind.PARENT, "p" + (i - 1)));
    }
    String last = "p" + TaskLimits.DEPTH_MAX;
    String above = "p" + (TaskLimits.DEPTH_MAX - 1);

    assertEquals("task_full", TaskRig.code(rig.link(last, EdgeKind.PARENT, above)));
    assertEquals("task_full", TaskRig.code(rig.link("p0", EdgeKind.PARENT, last)));
    assertEquals(
        "task_full",
        TaskRig.code(
            rig.manage.create(
                TaskRig.BY, TaskRig.body("x", "\"parent_task_id\":\"%s\"".formatted(above)), "")));
  }

  @Test
  void aTaskHasOnlySoManyEdges() {
    rig.created("t1");
    for (int i = 0; i < TaskLimits.EDGES_MAX; i++) {
      TaskRig.done(rig.link("t1", EdgeKind.EVIDENCE, "e" + i));
    }

    assertEquals("task_full", TaskRig.code(rig.link("t1", EdgeKind.EVIDENCE, "more")));
    assertEquals("done false", TaskRig.code(rig.link("t1", EdgeKind.EVIDENCE, "e1")));
    rig.created("t2");
    assertEquals("task_full", TaskRig.code(rig.link("t2", EdgeKind.BLOCKED_BY, "t1")));
    assertEquals(List.of(), rig.task("t2").edges());
  }

  @Test
  void sweepSettlesAnEdgeThatWasLeft() {
    rig.created("a");
    rig.created("b");
    TaskCommand.Link begun =
        new TaskCommand.Link(EdgeKind.BLOCKED_BY, "a", TaskEdge.Status.PENDING, null, null);
    rig.tasks.log().execute(TaskRig.key("b"), rig.tasks.log().load(TaskRig.key("b")), begun);
    rig.tasks.projectTask().project(TaskRig.key("b"));
    assertEquals(List.of(), rig.task("b").blockers());
    rig.pass(Duration.ofSeconds(TaskState.STEP_SECONDS));
    rig.sweep();

    assertEquals(List.of("a"), rig.task("b").blockers());
    assertEquals(List.of("b"), rig.task("a").to(EdgeKind.BLOCKS));
  }

  /// Above and below a link are looked at with one budget.
  @Test
  void onlySoManyTasksAreLookedAtForALink() {
    rig.created("a");
    rig.created("b");
    int each = TaskLimits.LOOKED_AT_MAX / 2;
    for (int i = 0; i < each; i++) {
      rig.created("above-" + i);
      TaskRig.done(rig.link("a", EdgeKind.BLOCKED_BY, "above-" + i));
    }
    for (int i = 0; i < each - 2; i++) {
      rig.created("below-" + i);
      TaskRig.done(rig.link("b", EdgeKind.BLOCKS, "below-" + i));
    }
    TaskRig.done(rig.link("b", EdgeKind.BLOCKED_BY, "a"));
    TaskRig.done(rig.unlink("b", EdgeKind.BLOCKED_BY, "a"));
    rig.created("one-more");
    TaskRig.done(rig.link("b", EdgeKind.BLOCKS, "one-more"));

    assertEquals("task_full", TaskRig.code(rig.link("b", EdgeKind.BLOCKED_BY, "a")));
  }

  /// Which of the two decides is nothing that whoever asks has to know.
  @Test
  void anUnlinkAnswersWithTheTaskThatItWasAskedOf() {
    rig.created("first");
    rig.created("second");
    TaskRig.done(rig.link("second", EdgeKind.BLOCKED_BY, "first"));

    TaskState.Existing asked = TaskRig.done(rig.unlink("first", EdgeKind.BLOCKS, "second"));

    assertEquals(TaskRig.key("first"), asked.facts().task());
    assertEquals(List.of(), asked.facts().edges());
    assertEquals(List.of(), rig.task("second").edges());
  }
}
