package dev.runyard.core.task;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.application.JobCases;
import dev.runyard.core.event.Requester;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.job.JobCommand;
import dev.runyard.core.job.JobRules;
import dev.runyard.core.job.JobStream;
import dev.runyard.core.run.RunState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/// Jobs of a task that is paused.
final class PausedTaskJobsTest extends TaskJobsRig {
  private void paused() {
    TaskRig.done(rig.manage.pause(TaskRig.BY, "t1", "later"));
    rig.advance("t1");
  }

  private void resumed() {
    TaskRig.done(rig.manage.resume(TaskRig.BY, "t1"));
    rig.advance("t1");
  }

  @Test
  void aPauseHoldsItemsBackThatHaveNotStarted() {
    started();
    rig.advance("t1");
    paused();

    ends(running().getFirst());
    assertEquals(List.of(1, 1, 1), counts(), "one goes on, one ended, one waits");
    ends(running().getFirst());
    settle();
    assertEquals(List.of(0, 2, 1), counts());
    assertEquals("running", job().status().wire());

    resumed();
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
    paused();
    begins();
    settle();
    assertEquals(List.of(0, 0, 3), counts());

    resumed();

    assertEquals(List.of(2, 0, 1), counts());
  }

  /// What becomes of the task does not follow the job, nor the other way round.
  @Test
  void aJobOfATaskThatIsOverIsNotHeldBack() {
    started();
    paused();
    ends(running().getFirst());
    assertEquals(List.of(1, 1, 1), counts());

    TaskRig.done(rig.manage.fail(TaskRig.BY, "t1", "given up"));
    rig.advance("t1");

    assertEquals(List.of(2, 1, 0), counts());
  }

  @Test
  void aCancelReachesAJobThatIsHeldBack() {
    started();
    paused();
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
    paused();
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
    begins();
    paused();
    settle();
    assertEquals(List.of(0, 0, 3), counts());

    resumed();
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
}
