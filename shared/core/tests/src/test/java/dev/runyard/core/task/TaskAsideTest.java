package dev.runyard.core.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentManifest;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.core.event.Requester;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunState;
import dev.runyard.core.submit.RunRequestReader;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// A pause of a task whose run is at work, by an agent that can go on elsewhere.
final class TaskAsideTest {
  private static final AgentCatalog MOVABLE =
      new AgentCatalog(
          List.of(
              new AgentManifest(
                  AgentCatalog.ECHO,
                  "Echo",
                  "Goes on elsewhere.",
                  new TreeSet<>(List.of(Capabilities.RUN, Capabilities.EVENTS, Capabilities.PAUSE)),
                  List.of(),
                  List.of())));

  private final TaskRig rig = new TaskRig();
  private final ManageTasks manage =
      rig.tasks.manage(
          new RunRequestReader(MOVABLE), rig.cases.submitRun(), (_, _) -> Optional.empty());

  @Test
  void itsRunRestsAndGoesOn() {
    RunKey run = atWork("t1");
    assertEquals("done true", pause("t1"));
    assertEquals("done false", pause("t1"));
    rig.assertStatus("paused", "t1");
    rests(run);
    assertEquals(TaskStatus.PAUSED, rig.task("t1").attempts().getFirst().status());
    assertEquals(Optional.empty(), TaskState.of(rig.task("t1")).dueAt());

    assertEquals("done true", resume("t1"));
    rig.tell(run);
    rig.assertStatus("queued", "t1");
    rig.claim(run, 2);
    rig.ends(run, 2);
    rig.assertStatus("completed", "t1");
    assertEquals(1, rig.task("t1").attempts().size());
  }

  @Test
  void allItsRunsRest() {
    RunKey one = atWork("t1");
    RunKey other = rig.submitted("t1");
    assertEquals("unavailable", pause("t1"));
    rig.assertStatus("running", "t1");
    rig.claim(other);
    rig.tell(other);

    assertEquals("done true", pause("t1"));
    rests(one);
    rests(other);
    assertEquals("done true", resume("t1"));
    for (RunKey run : List.of(one, other)) {
      rig.tell(run);
      rig.claim(run, 2);
      rig.ends(run, 2);
    }
    rig.assertStatus("completed", "t1");
  }

  @Test
  void aRunThatEndsBeforeItRestsCountsOnceThePauseIsOver() {
    RunKey run = atWork("t1");
    pause("t1");
    rig.ends(run, 1);
    rig.assertStatus("paused", "t1");

    assertEquals("done true", resume("t1"));
    rig.advance("t1");
    rig.assertStatus("completed", "t1");
  }

  @Test
  void whoPausedDiedBeforeTheRunWasTold() {
    RunKey run = atWork("t1");
    TaskKey key = TaskRig.key("t1");
    TaskLog log = rig.tasks.log();
    var _ = log.execute(key, log.load(key), new TaskCommand.Pause("later", Requester.of("key:k1")));
    rig.advance("t1");

    rests(run);
  }

  @Test
  void whoResumedDiedBeforeTheRunWasTold() {
    RunKey run = atWork("t1");
    pause("t1");
    rests(run);
    TaskKey key = TaskRig.key("t1");
    TaskLog log = rig.tasks.log();
    var _ =
        log.execute(
            key, log.load(key), new TaskCommand.Resume(false, true, Requester.of("key:k1")));
    rig.advance("t1");
    rig.tell(run);

    assertInstanceOf(RunState.Retrying.class, rig.cases.runs().load(run));
  }

  /// The pause reaches the run after the resume did.
  @Test
  void aRunIsNotAsideLongerThanItsTaskIsPaused() {
    RunKey run = atWork("t1");
    rig.cases.cancelRun().putAside(run, "late", Requester.of("key:k1"));
    rig.tell(run);
    rig.tell(run);

    RunState.InProgress now =
        assertInstanceOf(RunState.InProgress.class, rig.cases.runs().load(run));
    assertEquals(false, now.facts().putAside());
  }

  @Test
  void aPausedTaskIsCancelledWithItsRun() {
    RunKey run = atWork("t1");
    pause("t1");
    rests(run);
    assertEquals("done true", TaskRig.code(manage.cancel(TaskRig.BY, "t1", "enough")));
    rig.advance("t1");
    rig.tell(run);

    rig.assertStatus("cancelled", "t1");
    assertInstanceOf(RunState.Cancelled.class, rig.cases.runs().load(run));
  }

  @Test
  void aRunThatSomebodyCancelsWhileItRestsDoesNotGoOn() {
    RunKey run = atWork("t1");
    pause("t1");
    rests(run);
    var _ = rig.cases.cancelRun().cancel(run, "enough", "key:k1");
    rig.tell(run);
    rig.assertStatus("paused", "t1");
    assertEquals("done true", resume("t1"));
    rig.advance("t1");

    rig.assertStatus("failed", "t1");
    assertEquals(1, rig.task("t1").attempts().size());
  }

  @Test
  void nobodyLooksAtARunThatRests() {
    RunKey run = atWork("t1");
    pause("t1");
    rests(run);
    rig.tasks.projectTask().project(TaskRig.key("t1"));
    rig.pass(Duration.ofDays(3));
    rig.sweep();

    assertEquals("paused", rig.cases.runs().load(run).phase());
    rig.assertStatus("paused", "t1");
  }

  private RunKey atWork(String id) {
    RunKey run = rig.started(id);
    rig.claim(run);
    rig.tell(run);
    return run;
  }

  /// The runner ends the agent, as it is asked to.
  private void rests(RunKey run) {
    String attempt = "a-" + run.runId();
    rig.cases
        .runs()
        .execute(
            run,
            new RunCommand.Report(
                attempt,
                List.of(
                    new RunEvent.ProcessTerminated("p", "put_aside", 0),
                    new RunEvent.ProcessCompleted("p", null, 15, 5),
                    new RunEvent.TaskPaused(1, attempt, "put_aside"))));
    rig.tell(run);
    assertEquals("paused", rig.cases.runs().load(run).phase());
    assertInstanceOf(RunState.Paused.class, rig.cases.runs().load(run));
  }

  private String pause(String id) {
    return TaskRig.code(manage.pause(TaskRig.BY, id, "later"));
  }

  private String resume(String id) {
    return TaskRig.code(manage.resume(TaskRig.BY, id));
  }
}
