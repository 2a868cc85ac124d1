package dev.runyard.core.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.event.Requester;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.quota.Quotas;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.request.SampleRequests;
import dev.runyard.core.request.TaskRun;
import dev.runyard.core.run.RunState;
import dev.runyard.core.submit.RunRequestReader;
import dev.runyard.core.submit.SubmitRun;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Tasks from their creation to their end.
final class TaskTest {
  private final TaskRig rig = new TaskRig();

  @Test
  void completesWithItsRun() {
    RunKey run = rig.started("t1");
    rig.assertStatus("queued", "t1");
    rig.claim(run);
    rig.tell(run);
    rig.assertStatus("running", "t1");
    rig.ends("t1", true);

    rig.assertStatus("completed", "t1");
    assertEquals("a-" + run.runId(), rig.task("t1").attempts().getFirst().attemptId());
    assertEquals(
        List.of(
            "task.created",
            "task.accepted",
            "task.attempt.started",
            "task.queued",
            "task.started",
            "task.attempt.completed",
            "task.completed"),
        rig.types("t1"));
  }

  @Test
  void asksForItsTitleInItsThread() {
    RunKey run = rig.started("t1", "\"session_id\":\"s1\"", "\"thread_id\":\"side\"");
    RunRequest request = ((RunState.Existing) rig.cases.runs().load(run)).facts().request();

    assertEquals("s1", request.sessionId());
    assertEquals("side", request.threadId());
    assertEquals(new TaskRun("t1", 1, null, "t1"), request.task());
  }

  @Test
  void isRetriedWithAReasonAndKeepsAllRuns() {
    RunKey first = rig.started("t1");
    rig.ends("t1", false);
    rig.assertStatus("failed", "t1");
    assertEquals("agent_failed", Objects.requireNonNull(rig.task("t1").lastError()).code());

    TaskRig.done(rig.manage.retry(TaskRig.BY, "t1", "flaky", null, 1));
    assertEquals("done false", TaskRig.code(rig.manage.retry(TaskRig.BY, "t1", "flaky", null, 1)));
    rig.assertStatus("queued", "t1");
    rig.ends("t1", true);

    rig.assertStatus("completed", "t1");
    List<TaskAttempt> attempts = rig.task("t1").attempts();
    assertEquals(2, attempts.size());
    assertEquals(first.runId(), attempts.getFirst().runId());
    assertEquals(TaskStatus.FAILED, attempts.getFirst().status());
    assertEquals("flaky", attempts.getLast().reason());
    assertEquals(
        "task_closed", TaskRig.code(rig.manage.retry(TaskRig.BY, "t1", "again", null, null)));
  }

  @Test
  void isStartedOnce() {
    RunKey run = rig.started("t1");

    assertEquals("done false", TaskRig.code(rig.manage.start(TaskRig.BY, "t1", null)));
    assertEquals(run, rig.run("t1"));
    assertEquals(
        "task_blocked", TaskRig.code(rig.manage.retry(TaskRig.BY, "t1", "why", null, null)));
  }

  @Test
  void isCreatedOnceForItsId() {
    rig.created("t1");

    assertEquals(
        "done false",
        TaskRig.code(rig.manage.create(TaskRig.BY, TaskRig.body("t1"), rig.manage.draw())));
    assertEquals(
        "idempotency_mismatch",
        TaskRig.code(
            rig.manage.create(
                TaskRig.BY, TaskRig.body("t1", "\"priority\":3"), rig.manage.draw())));
  }

  @Test
  void manualAcceptanceWaitsForSomebody() {
    rig.started("t1", "\"acceptance\":\"manual\"");
    assertEquals("task_blocked", TaskRig.code(rig.manage.complete(TaskRig.BY, "t1", null)));
    rig.ends("t1", true);
    rig.assertStatus("waiting_input", "t1");
    TaskRig.done(rig.manage.complete(TaskRig.BY, "t1", "well done"));

    rig.assertStatus("completed", "t1");
    assertEquals("well done", rig.task("t1").summary());
    assertEquals("done false", TaskRig.code(rig.manage.complete(TaskRig.BY, "t1", null)));
    TaskRig.done(rig.manage.archive(TaskRig.BY, "t1"));
    rig.assertStatus("archived", "t1");
    assertEquals("task_closed", TaskRig.code(rig.manage.cancel(TaskRig.BY, "t1", "late")));
  }

  @Test
  void cancelIsWrittenFirstAndReachesRunsAndAllBelow() {
    RunKey run = rig.started("t1");
    rig.created("child", "\"parent_task_id\":\"t1\"");
    RunKey below = rig.started("grandchild", "\"parent_task_id\":\"child\"");
    TaskRig.done(rig.manage.cancel(TaskRig.BY, "t1", "enough"));
    rig.assertStatus("cancelling", "t1");

    String late =
        TaskRig.code(
            rig.manage.create(
                TaskRig.BY, TaskRig.body("late", "\"parent_task_id\":\"child\""), "x"));
    assertEquals("task_closed", late);
    assertEquals("task_closed", TaskRig.code(rig.manage.start(TaskRig.BY, "child", null)));
    for (String id : List.of("t1", "child", "grandchild")) {
      rig.advance(id);
    }
    rig.tell(run);
    rig.tell(below);

    for (String id : List.of("t1", "child", "grandchild")) {
      rig.assertStatus("cancelled", id);
    }
    assertInstanceOf(RunState.Cancelled.class, rig.cases.runs().load(run));
    assertInstanceOf(RunState.Cancelled.class, rig.cases.runs().load(below));
    assertEquals("done false", TaskRig.code(rig.manage.cancel(TaskRig.BY, "t1", "again")));
    assertEquals(
        "task_closed", TaskRig.code(rig.manage.retry(TaskRig.BY, "t1", "again", null, null)));
  }

  @Test
  void cancelOfWhatFailedReachesAllBelow() {
    rig.started("t1");
    RunKey below = rig.started("child", "\"parent_task_id\":\"t1\"");
    rig.ends("t1", false);
    TaskRig.done(rig.manage.cancel(TaskRig.BY, "t1", "enough"));
    rig.assertStatus("cancelling", "t1");
    rig.advance("t1");
    rig.advance("child");
    rig.tell(below);

    rig.assertStatus("cancelled", "t1");
    rig.assertStatus("cancelled", "child");
  }

  @Test
  void takesRunsBesideEachOther() {
    rig.created("t1");
    RunKey one = submitted("t1");
    RunKey other = submitted("t1");
    assertEquals(2, rig.task("t1").attempts().size());
    rig.work(one, false);
    rig.tell(one);
    rig.assertStatus("queued", "t1");
    rig.work(other, true);
    rig.tell(other);

    rig.assertStatus("completed", "t1");
    assertEquals("task_closed", refused("t1"));
    assertEquals("task_not_found", refused("nothing"));
    assertEquals("task_not_found", refused("task-" + one.runId()));
  }

  @Test
  void aRefusedRunGivesItsPlaceBack() {
    TaskRig limited = new TaskRig(Quotas.parse("{\"default\":{\"open_runs_max\":1}}"));
    limited.created("t1", "\"draft\":true");
    SubmitRun.Result result =
        limited.cases.submitRun().submit(TaskRig.BY, request("t1"), Optional.empty());

    assertInstanceOf(SubmitRun.Result.Rejected.class, result);
    assertEquals(Set.of(), limited.memory.uses().read("acme").open());
  }

  @Test
  void aRunAloneWritesToNoTask() {
    SubmitRun.Result result =
        rig.cases.submitRun().submit(TaskRig.BY, request(null), Optional.empty());
    RunState.Existing run = ((SubmitRun.Result.Accepted) result).run();
    rig.tell(run.facts().run());

    assertTrue(rig.memory.tasks().newest("acme", 9, Optional.empty()).isEmpty());
    assertEquals(0, rig.events("t1").size());
  }

  private RunKey submitted(String task) {
    SubmitRun.Result result =
        rig.cases.submitRun().submit(TaskRig.BY, request(task), Optional.empty());
    return ((SubmitRun.Result.Accepted) result).run().facts().run();
  }

  private String refused(String task) {
    return ((SubmitRun.Result.Rejected)
            rig.cases.submitRun().submit(TaskRig.BY, request(task), Optional.empty()))
        .problem()
        .code()
        .code();
  }

  private static RunRequest request(@Nullable String task) {
    RunRequest request = SampleRequests.echo("");
    return task == null ? request : request.of(new TaskRun(task, null, null));
  }

  @Test
  void writesARunThatIsNamedButNotThere() {
    rig.created("t1");
    RunKey lost = new RunKey("acme", "019c0000-0000-7000-8000-000000000009");
    TaskCommand.Start start =
        new TaskCommand.Start(
            lost.runId(), 1, request("t1").inSession("s"), null, Requester.of("key:k1"));
    rig.tasks.log().execute(TaskRig.key("t1"), rig.tasks.log().load(TaskRig.key("t1")), start);
    rig.advance("t1");

    assertInstanceOf(RunState.Created.class, rig.cases.runs().load(lost));
    rig.ends("t1", true);
    rig.assertStatus("completed", "t1");
  }

  @Test
  void pauseTakesBackWhatNoRunnerHas() {
    RunKey run = rig.started("t1");
    assertEquals("done true", TaskRig.code(rig.manage.pause(TaskRig.BY, "t1", "later")));
    rig.assertStatus("paused", "t1");
    assertEquals("task_blocked", TaskRig.code(rig.manage.resume(TaskRig.BY, "t1")));
    rig.tell(run);
    assertEquals("done true", TaskRig.code(rig.manage.resume(TaskRig.BY, "t1")));
    rig.advance("t1");

    assertEquals(2, rig.task("t1").attempts().size());
    rig.ends("t1", true);
    rig.assertStatus("completed", "t1");
  }

  @Test
  void pauseLeavesTwoRuns() {
    rig.created("t1");
    List<RunKey> both = List.of(submitted("t1"), submitted("t1"));

    assertEquals("unavailable", TaskRig.code(rig.manage.pause(TaskRig.BY, "t1", "later")));

    both.forEach(
        run -> assertInstanceOf(RunState.Created.class, rig.cases.runs().load(run), run.runId()));
    rig.assertStatus("queued", "t1");
  }

  @Test
  void pauseLeavesWhatIsAtWork() {
    RunKey run = rig.started("t1");
    rig.claim(run);

    assertEquals("unavailable", TaskRig.code(rig.manage.pause(TaskRig.BY, "t1", "later")));
    rig.tell(run);
    rig.assertStatus("running", "t1");
  }

  @Test
  void aPausedTaskStartsWhenItIsResumed() {
    rig.created("t1");
    TaskRig.done(rig.manage.pause(TaskRig.BY, "t1", "later"));
    TaskRig.done(rig.manage.start(TaskRig.BY, "t1", null));
    rig.assertStatus("paused", "t1");
    TaskRig.done(rig.manage.resume(TaskRig.BY, "t1"));
    rig.assertStatus("blocked", "t1");
    rig.advance("t1");
    rig.assertStatus("queued", "t1");
  }

  @Test
  void aDraftIsFinishedByAnUpdate() {
    rig.created("t1", "\"draft\":true");
    rig.assertStatus("draft", "t1");
    assertEquals("task_blocked", TaskRig.code(rig.manage.start(TaskRig.BY, "t1", null)));
    TaskRig.done(
        rig.manage.update(
            TaskRig.BY,
            "t1",
            TaskRig.json(
                "{\"draft\":false,\"title\":\"new\",\"priority\":5,\"objective\":\"do\"}")));
    rig.assertStatus("accepted", "t1");
    assertEquals("new", rig.task("t1").terms().title());
    assertEquals("echo", rig.task("t1").agent());
    TaskRig.done(rig.manage.start(TaskRig.BY, "t1", TaskRig.json("{\"prompt\":\"other\"}")));
    rig.assertStatus("queued", "t1");
  }

  @Test
  void aFinishedPeerIsNoFinishedTask() {
    rig.created("t1", "\"remote\":{\"task_id\":\"r1\",\"context_id\":\"c1\"}");
    TaskRig.done(
        rig.manage.update(
            TaskRig.BY,
            "t1",
            TaskRig.json("{\"remote\":{\"task_id\":\"r1\",\"native_status\":\"completed\"}}")));

    rig.assertStatus("accepted", "t1");
    assertEquals(new RemoteTask("a2a", "r1", null, "completed"), rig.task("t1").terms().remote());
    assertTrue(rig.types("t1").contains("task.delegated"));
  }

  @Test
  void sweepFindsTheEndOfARunThatNobodyTold() {
    RunKey run = rig.started("t1");
    rig.tasks.projectTask().project(TaskRig.key("t1"));
    rig.work(run, true);
    rig.cases.advanceRun().advance(run);
    rig.pass(Duration.ofSeconds(TaskState.CHECK_SECONDS));
    rig.sweep();

    rig.assertStatus("completed", "t1");
    assertEquals(
        TaskStatus.COMPLETED,
        rig.memory.tasks().snapshot(TaskRig.key("t1")).orElseThrow().status());
  }

  /// Ids of tasks are of more forms than those of sessions.
  @Test
  void idsOfAnyFormHaveASessionAndAreUpdated() {
    for (String id : List.of(".a", "_b", "-c", "d".repeat(128))) {
      rig.created(id);
      assertTrue(RunRequestReader.isSessionId(rig.task(id).terms().sessionId()), id);
      TaskRig.done(rig.manage.update(TaskRig.BY, id, TaskRig.json("{\"title\":\"new\"}")));
      assertEquals("new", rig.task(id).terms().title());
    }
    assertEquals("d".repeat(128), rig.task("d".repeat(128)).terms().sessionId());
  }
}
