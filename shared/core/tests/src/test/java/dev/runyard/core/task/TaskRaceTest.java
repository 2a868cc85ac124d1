package dev.runyard.core.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.application.TaskCases;
import dev.runyard.core.event.Requester;
import dev.runyard.core.quota.Quotas;
import dev.runyard.core.submit.RunRequestReader;
import dev.runyard.core.submit.SubmitRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/// Two that do something to the same tasks at once: the second one comes between what the first one
/// saw and what it writes.
final class TaskRaceTest {
  private final TaskRig rig = new TaskRig(Quotas.parse("{\"default\":{\"open_runs_max\":9}}"));

  /// Another process, in which something happens right before it decides such a command.
  private TaskCases interrupted(Predicate<TaskCommand> at, Runnable meanwhile) {
    AtomicBoolean met = new AtomicBoolean();
    return rig.cases.tasks(
        new TaskStream(
            (state, command) -> {
              if (at.test(command) && met.compareAndSet(false, true)) {
                meanwhile.run();
              }
              return TaskRules.decide(state, command);
            }));
  }

  /// Whichever step of one link the other one comes before, no circle stands.
  @Test
  void crossingLinksNeverCloseACircle() {
    int steps = 0;
    for (boolean more = true; more; steps++) {
      more = crossing(steps);
    }
    assertTrue(steps > 3, "only " + steps + " steps");
  }

  private static boolean crossing(int step) {
    TaskRig rig = new TaskRig();
    rig.created("a");
    rig.created("b");
    List<String> other = new ArrayList<>();
    TaskCases slow =
        rig.stepped(
            now -> {
              if (now == step) {
                other.add(TaskRig.code(rig.link("b", EdgeKind.BLOCKS, "a")));
              }
            });
    String one =
        TaskRig.code(
            slow.links()
                .link(
                    new LinkTasks.Wish(
                        TaskRig.key("a"), EdgeKind.BLOCKS, "b", null, Requester.of("x"))));
    boolean aWaits = !rig.task("a").blockers().isEmpty();
    boolean bWaits = !rig.task("b").blockers().isEmpty();
    assertTrue(!(aWaits && bWaits), () -> step + ": " + one + ", " + other);
    assertEquals(List.of(), rig.task("a").pending());
    assertEquals(List.of(), rig.task("b").pending());
    assertEquals(bWaits, one.equals("done true"), one);
    assertEquals(aWaits, other.contains("done true"), other::toString);
    return !other.isEmpty();
  }

  @Test
  void completeAgainstCancel() {
    rig.created("t1");
    TaskCases slow =
        interrupted(
            TaskCommand.Complete.class::isInstance,
            () -> TaskRig.done(rig.manage.cancel(TaskRig.BY, "t1", "enough")));

    String code = TaskRig.code(TaskRig.manage(rig.cases, slow).complete(TaskRig.BY, "t1", "done"));
    assertEquals("task_closed", code);
    rig.assertStatus("cancelled", "t1");
  }

  @Test
  void twoUpdatesBothCount() {
    rig.created("t1");
    TaskCases slow =
        interrupted(
            TaskCommand.Update.class::isInstance,
            () ->
                TaskRig.done(
                    rig.manage.update(TaskRig.BY, "t1", TaskRig.json("{\"priority\":7}"))));

    TaskRig.done(
        TaskRig.manage(rig.cases, slow)
            .update(TaskRig.BY, "t1", TaskRig.json("{\"title\":\"new\"}")));
    assertEquals("new", rig.task("t1").terms().title());
    assertEquals(7, rig.task("t1").terms().priority());
  }

  @Test
  void twoStartsMakeOneRun() {
    rig.created("t1");
    AtomicBoolean met = new AtomicBoolean();
    SubmitRun.Check check =
        (_, _) -> {
          if (met.compareAndSet(false, true)) {
            TaskRig.done(rig.manage.start(TaskRig.BY, "t1", null));
          }
          return Optional.empty();
        };
    ManageTasks slow =
        rig.tasks.manage(
            new RunRequestReader(AgentCatalog.builtIn()),
            rig.cases.submitRun(check),
            (_, _) -> Optional.empty());

    assertEquals("done false", TaskRig.code(slow.start(TaskRig.BY, "t1", null)));
    assertTrue(met.get());
    assertEquals(1, rig.task("t1").attempts().size());
    assertEquals(1, rig.memory.uses().read("acme").open().size());
  }

  @Test
  void aStartAgainstALinkIsHeldBack() {
    rig.created("t1");
    rig.created("other");
    SubmitRun.Check check =
        (_, _) -> {
          TaskRig.done(rig.link("t1", EdgeKind.BLOCKED_BY, "other"));
          return Optional.empty();
        };
    ManageTasks slow =
        rig.tasks.manage(
            new RunRequestReader(AgentCatalog.builtIn()),
            rig.cases.submitRun(check),
            (_, _) -> Optional.empty());

    assertEquals("done true", TaskRig.code(slow.start(TaskRig.BY, "t1", null)));
    rig.assertStatus("blocked", "t1");
    assertEquals(0, rig.task("t1").attempts().size());
  }

  /// The parent is cancelled, and done with that, between its edge and the child.
  @Test
  void aChildThatComesAfterTheCancelEnds() {
    rig.created("t1");
    TaskCases slow =
        interrupted(
            command -> command instanceof TaskCommand.Create create && create.parent().isPresent(),
            () -> {
              TaskRig.done(rig.manage.cancel(TaskRig.BY, "t1", "enough"));
              rig.advance("t1");
              rig.assertStatus("cancelled", "t1");
            });
    TaskRig.done(
        TaskRig.manage(rig.cases, slow)
            .create(TaskRig.BY, TaskRig.body("child", "\"parent_task_id\":\"t1\""), "x"));
    rig.advance("child");

    rig.assertStatus("cancelled", "child");
  }

  @Test
  void aRefusedChildLeavesNoEdge() {
    for (String id : List.of("above", "t1", "other")) {
      rig.created(id);
    }
    TaskRig.done(rig.link("t1", EdgeKind.PARENT, "above"));
    TaskCases slow =
        interrupted(
            command -> command instanceof TaskCommand.Create create && create.parent().isPresent(),
            () -> rig.created("child", "\"parent_task_id\":\"other\""));
    var body = TaskRig.body("child", "\"parent_task_id\":\"t1\"");
    String code = TaskRig.code(TaskRig.manage(rig.cases, slow).create(TaskRig.BY, body, "x"));

    assertEquals("idempotency_mismatch", code);
    assertEquals(List.of(), rig.task("t1").to(EdgeKind.CHILD));
    assertEquals(List.of("child"), rig.task("other").to(EdgeKind.CHILD));
    TaskRig.done(rig.manage.cancel(TaskRig.BY, "above", "enough"));
    var late = TaskRig.body("late", "\"parent_task_id\":\"t1\"");
    assertEquals("task_closed", TaskRig.code(rig.manage.create(TaskRig.BY, late, "x")));
    assertEquals(List.of(), rig.task("t1").to(EdgeKind.CHILD));
  }
}
