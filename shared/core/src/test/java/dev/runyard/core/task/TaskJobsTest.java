package dev.runyard.core.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.application.JobCases;
import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.Requester;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.TaskIds;
import dev.runyard.core.job.JobCommand;
import dev.runyard.core.job.JobKey;
import dev.runyard.core.job.JobProgress;
import dev.runyard.core.job.JobRules;
import dev.runyard.core.job.JobState;
import dev.runyard.core.job.JobStream;
import dev.runyard.core.job.JobTerms;
import dev.runyard.core.job.ManageJobs;
import dev.runyard.core.job.OnFailed;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.run.RunState;
import dev.runyard.core.submit.RunRequestReader;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/// Jobs that are parts of a task.
final class TaskJobsTest {
  private static final JobKey JOB = new JobKey("acme", "j1");

  private final TaskRig rig = new TaskRig();

  private ManageJobs.Result create(String job, String task, String more) {
    ObjectNode body =
        TaskRig.json(
            "{\"job_id\":\"%s\",\"task_id\":\"%s\",\"concurrency\":2,%s,\"items\":[%s]%s}"
                .formatted(
                    job,
                    task,
                    TaskRig.ECHO,
                    "{\"prompt\":\"1\"},{\"prompt\":\"2\"},{\"prompt\":\"3\"}",
                    more));
    return rig.cases
        .jobs()
        .manage()
        .create(
            TaskRig.BY,
            rig.cases
                .jobs()
                .reader(new RunRequestReader(AgentCatalog.builtIn()), (_, _) -> Optional.empty()),
            body,
            Optional.empty());
  }

  private static String code(ManageJobs.Result result) {
    return switch (result) {
      case ManageJobs.Result.Done done -> "done " + done.changed();
      case ManageJobs.Result.Rejected rejected -> rejected.problem().code().code();
    };
  }

  private JobState.Existing job() {
    return (JobState.Existing) rig.cases.jobs().log().load(JOB);
  }

  private List<RunKey> running() {
    return job().facts().items().active().values().stream()
        .map(JobProgress.Active::runId)
        .map(run -> new RunKey("acme", run))
        .toList();
  }

  /// Its task has no item among its runs, and hears nothing of it.
  @Test
  void eventsOfItemsNameTheTasksAbove() {
    rig.created("top");
    rig.created("t1", "\"parent_task_id\":\"top\"");
    create("j1", "t1", "");
    rig.cases.jobs().manage().start(TaskRig.BY, "j1", Optional.empty());
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
    rig.cases.jobs().manage().start(TaskRig.BY, "j1", Optional.empty());
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
  void aPauseHoldsItemsBackThatHaveNotStarted() {
    started();
    rig.advance("t1");
    TaskRig.done(rig.manage.pause(TaskRig.BY, "t1", "later"));
    rig.advance("t1");

    ends(running().getFirst());
    assertEquals(List.of(1, 1, 1), counts(), "one goes on, one ended, one waits");
    ends(running().getFirst());
    settle();
    assertEquals(List.of(0, 2, 1), counts());
    assertEquals("running", job().status().wire());

    TaskRig.done(rig.manage.resume(TaskRig.BY, "t1"));
    rig.advance("t1");
    assertEquals(List.of(1, 2, 0), counts());
    ends(running().getFirst());
    assertEquals("completed", job().status().wire());
  }

  /// Whoever resumes the task may die before it says so to its jobs.
  @Test
  void anItemThatWasHeldBackIsFoundByASweep() {
    started();
    TaskRig.done(rig.manage.pause(TaskRig.BY, "t1", "later"));
    ends(running().getFirst());
    rig.cases.jobs().projectJob().project(JOB);
    rig.pass(Duration.ofMinutes(2));
    rig.sweep();
    assertEquals(List.of(1, 1, 1), counts());

    TaskRig.done(rig.manage.resume(TaskRig.BY, "t1"));
    rig.sweep();

    assertEquals(List.of(2, 1, 0), counts());
  }

  @Test
  void aJobThatIsStartedDuringThePauseWaits() {
    rig.created("t1");
    create("j1", "t1", "");
    TaskRig.done(rig.manage.pause(TaskRig.BY, "t1", "later"));
    rig.advance("t1");
    rig.cases.jobs().manage().start(TaskRig.BY, "j1", Optional.empty());
    settle();
    assertEquals(List.of(0, 0, 3), counts());

    TaskRig.done(rig.manage.resume(TaskRig.BY, "t1"));
    rig.advance("t1");

    assertEquals(List.of(2, 0, 1), counts());
  }

  /// What becomes of the task does not follow the job, nor the other way round.
  @Test
  void aJobOfATaskThatIsOverIsNotHeldBack() {
    started();
    TaskRig.done(rig.manage.pause(TaskRig.BY, "t1", "later"));
    rig.advance("t1");
    ends(running().getFirst());
    assertEquals(List.of(1, 1, 1), counts());

    TaskRig.done(rig.manage.fail(TaskRig.BY, "t1", "given up"));
    rig.advance("t1");

    assertEquals(List.of(2, 1, 0), counts());
  }

  @Test
  void aCancelReachesAJobThatIsHeldBack() {
    started();
    TaskRig.done(rig.manage.pause(TaskRig.BY, "t1", "later"));
    rig.advance("t1");
    List<RunKey> runs = running();
    TaskRig.done(rig.manage.cancel(TaskRig.BY, "t1", "enough"));
    rig.advance("t1");
    settle();
    runs.forEach(run -> rig.cases.jobs().advanceJob().told(rig.cases.advanceRun().advance(run)));

    assertEquals("cancelled", job().status().wire());
    assertEquals(3, job().facts().items().next(), "no further item began");
  }

  /// A retry that comes while an end is being written makes an item pending that was not.
  @Test
  void anItemThatIsRetriedDuringThePauseWaits() {
    started();
    ends(running().getFirst());
    List<RunKey> runs = running();
    TaskRig.done(rig.manage.pause(TaskRig.BY, "t1", "later"));
    rig.advance("t1");
    rig.work(runs.getFirst(), false);
    rig.cases.jobs().advanceJob().told(rig.cases.advanceRun().advance(runs.getFirst()));
    int failed = job().facts().items().failed().from(1);
    rig.work(runs.getLast(), true);
    RunState ended = rig.cases.advanceRun().advance(runs.getLast());
    AtomicBoolean met = new AtomicBoolean();
    JobCases slow =
        rig.cases
            .jobs()
            .by(
                new JobStream(
                    (state, command) -> {
                      if (met.compareAndSet(false, true)) {
                        JobCommand retry = new JobCommand.Retry(failed, 1, Requester.of("x"));
                        var _ =
                            rig.cases
                                .jobs()
                                .log()
                                .execute(JOB, rig.cases.jobs().log().load(JOB), retry);
                      }
                      return JobRules.decide(state, command);
                    }));
    slow.advanceJob().told(ended);

    assertEquals(List.of(0, 2, 1), counts());
  }

  /// Jobs that are over do not keep others from going on.
  @Test
  void manyJobsGoOnOnceThePauseIsOver() {
    rig.created("t1");
    for (int i = 0; i < 21; i++) {
      create("over-" + i, "t1", "");
      var _ = rig.cases.jobs().manage().cancel(TaskRig.BY, "over-" + i, "enough", Optional.empty());
    }
    create("j1", "t1", "");
    rig.cases.jobs().manage().start(TaskRig.BY, "j1", Optional.empty());
    TaskRig.done(rig.manage.pause(TaskRig.BY, "t1", "later"));
    rig.advance("t1");
    settle();
    assertEquals(List.of(0, 0, 3), counts());

    TaskRig.done(rig.manage.resume(TaskRig.BY, "t1"));
    rig.advance("t1");
    assertEquals(List.of(2, 0, 1), counts());
  }

  /// Nobody could resume it any more, nor cancel what it holds back.
  @Test
  void aPausedTaskWithJobsIsNotPutAway() {
    rig.created("t1");
    create("j1", "t1", "");
    TaskRig.done(rig.manage.pause(TaskRig.BY, "t1", "later"));
    assertEquals("task_blocked", TaskRig.code(rig.manage.archive(TaskRig.BY, "t1")));
    TaskRig.done(rig.manage.resume(TaskRig.BY, "t1"));
    TaskRig.done(rig.manage.archive(TaskRig.BY, "t1"));
  }

  /// A task with a job of three items, of which two run.
  private void started() {
    rig.created("t1");
    create("j1", "t1", "");
    rig.cases.jobs().manage().start(TaskRig.BY, "j1", Optional.empty());
    settle();
    assertEquals(List.of(2, 0, 1), counts());
  }

  private void settle() {
    rig.cases.jobs().advanceJob().advance(JOB, List.of());
  }

  private void ends(RunKey item) {
    rig.work(item, true);
    rig.cases.jobs().advanceJob().told(rig.cases.advanceRun().advance(item));
  }

  /// How many items run, are completed and wait.
  private List<Integer> counts() {
    JobProgress items = job().facts().items();
    return List.of(items.active().size(), items.completed(), items.pending());
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
