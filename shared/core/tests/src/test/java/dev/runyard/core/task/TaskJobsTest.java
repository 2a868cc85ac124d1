package dev.runyard.core.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.Requester;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.TaskIds;
import dev.runyard.core.job.JobCommand;
import dev.runyard.core.job.JobState;
import dev.runyard.core.job.JobTerms;
import dev.runyard.core.job.OnFailed;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.run.RunState;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Jobs that are parts of a task.
final class TaskJobsTest extends TaskJobsRig {
  /// Its task has no item among its runs, and hears nothing of it.
  @Test
  void eventsOfItemsNameTheTasksAbove() {
    rig.created("top");
    rig.created("t1", "\"parent_task_id\":\"top\"");
    create("j1", "t1", "");
    begins();
    rig.cases.jobs().advanceJob().advance(JOB, List.of());
    RunKey run = running().getFirst();
    rig.work(run, true);
    rig.tell(run);

    for (Chunk chunk : rig.log.chunksAfter(run, 0)) {
      for (StoredEvent stored : chunk.events(EventCodec.RUNS)) {
        assertEquals(new TaskIds("t1", "top"), stored.turn().above());
        String line = EventCodec.RUNS.json(stored);
        assertTrue(line.contains("\"parentTaskId\":\"t1\",\"rootTaskId\":\"top\""), line);
        assertTrue(line.contains("\"jobId\":\"j1\""), line);
      }
    }
    assertEquals(List.of(), rig.task("t1").attempts());
  }

  @Test
  void aCancelReachesJobsBelow() {
    rig.created("t1");
    rig.created("child", "\"parent_task_id\":\"t1\"");
    assertEquals("done true", code(create("j1", "child", "")));
    begins();
    rig.cases.jobs().advanceJob().advance(JOB, List.of());
    List<RunKey> runs = running();
    assertEquals(2, runs.size());

    TaskRig.done(rig.manage.cancel(TaskRig.BY, "t1", "enough"));
    rig.advance("t1");
    rig.assertStatus("cancelling", "child");
    rig.advance("child");
    assertEquals(
        "The task was cancelled: enough",
        Optional.ofNullable(job().facts().stop()).orElseThrow().message());
    rig.cases.jobs().advanceJob().advance(JOB, List.of());
    for (RunKey run : runs) {
      rig.cases.jobs().advanceJob().told(rig.cases.advanceRun().advance(run));
      assertInstanceOf(RunState.Cancelled.class, rig.cases.runs().load(run));
    }

    rig.assertStatus("cancelled", "child");
    assertEquals("cancelled", job().status().wire());
    assertEquals(3, job().facts().items().next(), "no further item began");
  }

  @Test
  void aTaskTellsItsJobs() {
    rig.created("t1");
    create("j1", "t1", "");

    assertEquals(List.of("j1"), rig.task("t1").jobs());
    assertEquals("t1", job().facts().terms().taskId());
    assertEquals("task.delegated", rig.types("t1").getLast());
    assertEquals(List.of("j1"), projected());
    assertEquals("done false", code(create("j1", "t1", "")));
    assertEquals("idempotency_mismatch", code(create("j1", "t1", ",\"on_failed\":\"finish\"")));
  }

  private List<String> projected() {
    rig.tasks.projectTask().project(TaskRig.key("t1"));
    return rig.memory.tasks().snapshot(TaskRig.key("t1")).orElseThrow().facts().jobs();
  }

  @Test
  void aJobIsTakenWhereARunWouldBe() {
    rig.created("draft", "\"draft\":true");
    rig.created("first");
    rig.created("second");
    TaskRig.done(rig.link("second", EdgeKind.BLOCKED_BY, "first"));
    rig.created("put-aside");
    TaskRig.done(rig.manage.pause(TaskRig.BY, "put-aside", "later"));
    rig.created("above");
    rig.created("below", "\"parent_task_id\":\"above\"");
    TaskRig.done(rig.manage.cancel(TaskRig.BY, "above", "enough"));

    assertEquals("task_blocked", code(create("j1", "draft", "")));
    assertEquals("task_blocked", code(create("j1", "second", "")));
    assertEquals("task_blocked", code(create("j1", "put-aside", "")));
    assertEquals("task_closed", code(create("j1", "above", "")));
    assertEquals("task_closed", code(create("j1", "below", "")));
    assertEquals("task_not_found", code(create("j1", "nothing", "")));
    assertEquals("task_not_found", code(create("j1", TaskKey.ofRun(aRun()), "")));
    assertInstanceOf(JobState.Absent.class, rig.cases.jobs().log().load(JOB));
    for (int i = 0; i < TaskLimits.JOBS_MAX; i++) {
      assertEquals("done true", code(create("job-" + i, "first", "")));
    }
    assertEquals("task_full", code(create("j1", "first", "")));
  }

  private RunKey aRun() {
    return rig.started("other");
  }

  /// Whoever creates a job has told the task, and comes to write the job after the cancel.
  @Test
  void aJobThatComesAfterTheCancelEnds() {
    rig.created("t1");
    assertEquals(
        Optional.empty(), rig.tasks.startTask().refusal(JOB, "t1", Requester.of("key:k1")));
    TaskRig.done(rig.manage.cancel(TaskRig.BY, "t1", "enough"));
    rig.advance("t1");
    rig.assertStatus("cancelled", "t1");
    JobTerms terms = new JobTerms("j1", 1, OnFailed.HOLD, null, null, null, "f", "t1", null);
    rig.cases
        .jobs()
        .log()
        .execute(
            JOB,
            JobState.absent(),
            new JobCommand.Create(terms, Optional.empty(), Requester.of("key:k1")));
    rig.cases.jobs().advanceJob().advance(JOB, List.of());

    assertTrue(job().closed());
    assertEquals("cancelled", job().status().wire());
  }

  /// A name that a refused creation left in a task leads to somebody else's job.
  @Test
  void aCancelLeavesTheJobsOfOthers() {
    rig.created("t1");
    rig.created("t2");
    assertEquals(
        Optional.empty(), rig.tasks.startTask().refusal(JOB, "t1", Requester.of("key:k1")));
    assertEquals("done true", code(create("j1", "t2", "")));
    TaskRig.done(rig.manage.cancel(TaskRig.BY, "t1", "enough"));
    rig.advance("t1");

    rig.assertStatus("cancelled", "t1");
    assertEquals("created", job().status().wire());
  }

  /// What was completed in between is passed.
  @Test
  void aCancelPassesWhatWasCompleted() {
    rig.created("t1");
    rig.created("done", "\"parent_task_id\":\"t1\"");
    rig.created("low", "\"parent_task_id\":\"done\"");
    create("j1", "done", "");
    TaskRig.done(rig.manage.complete(TaskRig.BY, "done", null));
    TaskRig.done(rig.manage.cancel(TaskRig.BY, "t1", "enough"));
    rig.advance("t1");

    rig.assertStatus("completed", "done");
    rig.assertStatus("cancelled", "low");
    assertEquals(
        "The task was cancelled: enough",
        Optional.ofNullable(job().facts().stop()).orElseThrow().message());
  }
}
