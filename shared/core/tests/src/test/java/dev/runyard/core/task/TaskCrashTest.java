package dev.runyard.core.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.application.JobCases;
import dev.runyard.core.application.Ports;
import dev.runyard.core.application.TaskCases;
import dev.runyard.core.application.UseCases;
import dev.runyard.core.crash.CrashPoint;
import dev.runyard.core.event.Requester;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.job.JobKey;
import dev.runyard.core.job.JobState;
import dev.runyard.core.job.JobStatus;
import dev.runyard.core.quota.Quotas;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.request.SampleRequests;
import dev.runyard.core.request.TaskRun;
import dev.runyard.core.run.RunState;
import dev.runyard.core.submit.RunRequestReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/// Tasks again and again, each time with a process that dies before or after another call of a
/// port: whatever call is the last, each start makes one run, nothing starts after the intent to
/// cancel, and no task stays blocked by what is completed.
final class TaskCrashTest {
  private static final int ROUNDS_MAX = 60;
  private static final int MANY = 20;
  private static final JobKey JOB = new JobKey("acme", "j1");

  @Test
  void whatWaitsIsDoneWhateverCallIsTheLast() {
    for (boolean after : new boolean[] {false, true}) {
      int points = 0;
      while (new World(points, after, TaskRules::decide).chain()) {
        points++;
      }
      assertTrue(points > 40, "crashed at " + points + " calls");
    }
  }

  @Test
  void aCancelReachesAllRunsAndAllBelowWhateverCallIsTheLast() {
    for (boolean after : new boolean[] {false, true}) {
      int points = 0;
      while (new World(points, after, TaskRules::decide).cancelled()) {
        points++;
      }
      assertTrue(points > MANY, "crashed at " + points + " calls");
    }
  }

  @Test
  void findsATaskThatIsBlockedByWhatIsCompleted() {
    World world =
        new World(
            Integer.MAX_VALUE,
            false,
            (state, command) ->
                TaskRules.decide(
                    state,
                    command instanceof TaskCommand.Saw saw
                        ? new TaskCommand.Saw(saw.runs(), List.of())
                        : command));

    assertFalse(world.lives());
    assertEquals(List.of("T2: second is blocked by first"), world.broken());
  }

  /// Tasks, the functions that advance them, and runners that are never faulty.
  private static final class World {
    final TaskRig rig = new TaskRig();
    private final CrashPoint point;
    private final TaskStream type;
    private UseCases process;
    private TaskCases tasks;

    World(int at, boolean after, BiFunction<TaskState, TaskCommand, TaskDecision> rules) {
      this.point = new CrashPoint(at, after);
      this.type = new TaskStream(rules);
      this.process = rig.cases(Quotas.NONE, this::faulty);
      this.tasks = process.tasks(type);
    }

    /// The second task waits for the first, whose first run fails.
    boolean chain() {
      assertTrue(lives(), this::toString);
      assertEquals(List.of(), broken(), this::toString);
      assertEquals(2, rig.task("first").attempts().size(), this::toString);
      assertEquals(1, rig.task("second").attempts().size(), this::toString);
      assertEquals(
          TaskStatus.COMPLETED,
          rig.memory.tasks().snapshot(TaskRig.key("second")).orElseThrow().status(),
          this::toString);
      return point.crashed();
    }

    /// True if both are completed at some time.
    boolean lives() {
      for (String id : List.of("first", "second")) {
        until(() -> manage().create(TaskRig.BY, TaskRig.body(id), "x"));
      }
      until(
          () ->
              tasks
                  .links()
                  .link(
                      new LinkTasks.Wish(
                          TaskRig.key("second"),
                          EdgeKind.BLOCKED_BY,
                          "first",
                          null,
                          Requester.of("x"))));
      until(() -> manage().start(TaskRig.BY, "second", null));
      until(() -> manage().start(TaskRig.BY, "first", null));
      for (int round = 1; round <= ROUNDS_MAX; round++) {
        round(List.of("first", "second"), round);
        if (rig.task("first").status() == TaskStatus.FAILED) {
          until(() -> manage().retry(TaskRig.BY, "first", "again", null, 1));
        }
        if (ended("first") && ended("second") && round % 3 == 0) {
          safely(() -> tasks.projectTask().project(TaskRig.key("second")));
          safely(() -> tasks.projectTask().project(TaskRig.key("second")));
          return true;
        }
      }
      return false;
    }

    /// A task with many runs, and one below it, are cancelled while the runs begin.
    boolean cancelled() {
      until(() -> manage().create(TaskRig.BY, TaskRig.body("first"), "x"));
      String below = "\"parent_task_id\":\"first\"";
      until(() -> manage().create(TaskRig.BY, TaskRig.body("second", below), "x"));
      until(() -> manage().start(TaskRig.BY, "second", null));
      until(() -> createJob());
      until(() -> process.jobs().manage().start(TaskRig.BY, JOB.jobId(), Optional.empty()));
      for (int i = 0; i < MANY; i++) {
        safely(() -> process.submitRun().submit(TaskRig.BY, request(), Optional.empty()));
      }
      until(() -> manage().cancel(TaskRig.BY, "first", "enough"));
      int begun = rig.task("first").attempts().size();
      for (int round = 1; round <= ROUNDS_MAX && !allEnded(); round++) {
        round(List.of("first", "second"), round);
        safely(() -> process.jobs().advanceJob().advance(JOB, List.of()));
        safely(() -> process.submitRun().submit(TaskRig.BY, request(), Optional.empty()));
        safely(() -> manage().start(TaskRig.BY, "second", null));
      }
      for (String id : List.of("first", "second")) {
        assertEquals(TaskStatus.CANCELLED, rig.task(id).status(), this::toString);
        for (TaskAttempt attempt : rig.task(id).attempts()) {
          RunState run = rig.cases.runs().load(new RunKey("acme", attempt.runId()));
          assertTrue(run instanceof RunState.Closed, this::toString);
        }
      }
      assertEquals(JobStatus.CANCELLED, job().status(), this::toString);
      assertTrue(job().facts().items().next() <= 3, this::toString);
      assertEquals(begun, rig.task("first").attempts().size(), this::toString);
      assertTrue(rig.task("second").attempts().size() <= 1, this::toString);
      return point.crashed();
    }

    /// As many of its items run at once as may.
    private void createJob() {
      String items = "[{\"prompt\":\"1\"},{\"prompt\":\"2\"},{\"prompt\":\"3\"}]";
      String body =
          "{\"job_id\":\"%s\",\"task_id\":\"second\",\"concurrency\":2,%s,\"items\":%s}"
              .formatted(JOB.jobId(), TaskRig.ECHO, items);
      JobCases jobs = process.jobs();
      var reader =
          jobs.reader(new RunRequestReader(AgentCatalog.builtIn()), (_, _) -> Optional.empty());
      var _ = jobs.manage().create(TaskRig.BY, reader, TaskRig.json(body), Optional.empty());
    }

    private JobState.Existing job() {
      return (JobState.Existing) rig.cases.jobs().log().load(JOB);
    }

    private boolean allEnded() {
      return ended("first") && ended("second") && job().closed();
    }

    private static RunRequest request() {
      return SampleRequests.echo("").of(new TaskRun("first", null, null));
    }

    List<String> broken() {
      List<String> broken = new ArrayList<>();
      TaskFacts second = rig.task("second");
      if (ended("first") && second.blockers().contains("first")) {
        broken.add("T2: second is blocked by first");
      }
      return broken;
    }

    private boolean ended(String id) {
      TaskStatus status = rig.task(id).status();
      return status.ended() && !status.retryable();
    }

    private ManageTasks manage() {
      return TaskRig.manage(process, tasks);
    }

    /// What functions, runners and the clock do until `sweep` comes.
    private void round(List<String> ids, int round) {
      for (String id : ids) {
        for (TaskAttempt attempt : rig.task(id).active().toList()) {
          RunKey run = new RunKey("acme", attempt.runId());
          work(id, attempt, run);
          safely(() -> tasks.advanceTask().told(process.advanceRun().advance(run)));
        }
        safely(() -> tasks.advanceTask().advance(TaskRig.key(id), List.of()));
        safely(() -> tasks.projectTask().project(TaskRig.key(id)));
      }
      rig.pass(Duration.ofSeconds(TaskState.CHECK_SECONDS));
      if (round % 3 == 0) {
        safely(
            () -> {
              for (String id : ids) {
                tasks.sweepTasks().sweep(TaskRig.key(id), rig.clock.instant());
              }
            });
      }
    }

    /// The run ends; the first one of the first task fails.
    private void work(String id, TaskAttempt attempt, RunKey run) {
      if (rig.cases.runs().load(run) instanceof RunState.Created) {
        rig.work(run, !id.equals("first") || attempt.number() > 1);
      }
    }

    private void until(Runnable step) {
      if (!safely(step)) {
        assertTrue(safely(step));
      }
    }

    /// A process that dies is followed by another one, which knows nothing.
    private boolean safely(Runnable step) {
      if (point.survives(step)) {
        return true;
      }
      process = rig.cases(Quotas.NONE, this::faulty);
      tasks = process.tasks(type);
      return false;
    }

    private Ports faulty(Ports ports) {
      return point.process(
          ports,
          name -> name.equals("tasks") ? point.counted(TaskModels.class, ports.tasks()) : null);
    }

    @Override
    public String toString() {
      return point + ": " + rig.types("first");
    }
  }
}
