package dev.runyard.core.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.application.TaskCases;
import dev.runyard.core.event.Requester;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What others do to the two tasks of an edge while it is taken away: whichever step of that they
/// come before, both ends have the edge afterwards, or none has it.
final class UnlinkRaceTest {
  private static final int STEPS = 8;

  /// Both ends of an edge of this kind between `a` and `b`.
  private static List<Boolean> ends(TaskRig rig, EdgeKind kind) {
    return List.of(
        rig.task("a").edge(kind, "b").isPresent(),
        rig.task("b").edge(inverse(kind), "a").isPresent());
  }

  private static EdgeKind inverse(EdgeKind kind) {
    return kind == EdgeKind.PARENT ? EdgeKind.CHILD : EdgeKind.BLOCKS;
  }

  private static LinkTasks.Wish wish(EdgeKind kind, String reason) {
    return new LinkTasks.Wish(TaskRig.key("a"), kind, "b", reason, Requester.of("x"));
  }

  /// Two tasks that were linked, and whose edge is taken away while others do something.
  ///
  /// @param meanwhile is told before which step it is, from 0
  private static TaskRig unlinked(EdgeKind kind, BiConsumer<TaskRig, Integer> meanwhile) {
    TaskRig rig = new TaskRig();
    rig.created("a");
    rig.created("b");
    TaskRig.done(rig.link("a", kind, "b"));
    AtomicInteger steps = new AtomicInteger();
    TaskCases slow =
        rig.stepped(
            now -> {
              steps.set(now + 1);
              meanwhile.accept(rig, now);
            });
    var _ = slow.links().unlink(wish(kind, "was wrong"));
    assertTrue(steps.get() >= 2, "only " + steps + " steps");
    return rig;
  }

  /// The same for others that come before each of the steps in turn.
  ///
  /// @param check of the tasks afterwards, by the name of the case
  private static void unlinkedAtEachStep(
      EdgeKind kind, Consumer<TaskRig> meanwhile, BiConsumer<TaskRig, String> check) {
    for (int step = 0; step < STEPS; step++) {
      int at = step;
      TaskRig rig =
          unlinked(
              kind,
              (others, now) -> {
                if (now == at) {
                  meanwhile.accept(others);
                }
              });
      check.accept(rig, kind + " at step " + step);
    }
  }

  private static void assertSame(TaskRig rig, EdgeKind kind, String which) {
    List<Boolean> ends = ends(rig, kind);
    assertEquals(ends.getFirst(), ends.getLast(), which);
  }

  @ParameterizedTest
  @EnumSource(
      value = EdgeKind.class,
      names = {"BLOCKED_BY", "PARENT"})
  void anotherLink(EdgeKind kind) {
    unlinkedAtEachStep(
        kind,
        others -> TaskRig.done(others.links.link(wish(kind, "needs it"))),
        (rig, which) -> {
          assertSame(rig, kind, which);
          assertEquals(
              rig.task("a").edge(kind, "b").map(TaskEdge::reason),
              rig.task("b").edge(inverse(kind), "a").map(TaskEdge::reason));
        });
  }

  /// The other link is written, and has not yet been looked at: it would close a circle.
  @ParameterizedTest
  @EnumSource(
      value = EdgeKind.class,
      names = {"BLOCKED_BY", "PARENT"})
  void anotherLinkThatIsRefused(EdgeKind kind) {
    TaskCommand.Link pending =
        new TaskCommand.Link(kind, "b", TaskEdge.Status.PENDING, null, Requester.of("y"));
    unlinkedAtEachStep(
        kind,
        others -> {
          var _ = others.link("b", kind, "a");
          TaskKey task = TaskRig.key("a");
          TaskLog log = others.tasks.log();
          var _ = log.execute(task, log.load(task), pending);
        },
        (rig, which) -> {
          var _ = rig.links.settle(wish(kind, "needs it"));
          assertSame(rig, kind, which);
        });
  }

  /// What was put away keeps the edges that it has.
  @ParameterizedTest
  @EnumSource(
      value = EdgeKind.class,
      names = {"BLOCKED_BY", "PARENT"})
  void anotherLinkWhoseOtherEndIsPutAway(EdgeKind kind) {
    unlinkedAtEachStep(
        kind,
        others -> {
          TaskRig.done(others.link("a", kind, "b"));
          TaskRig.done(others.manage.complete(TaskRig.BY, "b", null));
          TaskRig.done(others.manage.archive(TaskRig.BY, "b"));
        },
        (rig, which) -> {
          List<Boolean> ends = ends(rig, kind);
          assertTrue(ends.getLast() || !ends.getFirst(), which + ": " + ends);
        });
  }

  /// A task that is put away while it is looked whether its link may be.
  @Test
  void aLinkOfATaskThatIsPutAway() {
    for (boolean circle : List.of(false, true)) {
      for (int step = 1; step < STEPS; step++) {
        int at = step;
        TaskRig rig = new TaskRig();
        rig.created("a");
        rig.created("b");
        if (circle) {
          TaskRig.done(rig.link("b", EdgeKind.BLOCKED_BY, "a"));
        }
        TaskCases slow =
            rig.stepped(
                now -> {
                  if (now == at) {
                    TaskRig.done(rig.manage.archive(TaskRig.BY, "a"));
                  }
                });
        String code = TaskRig.code(slow.links().link(wish(EdgeKind.BLOCKED_BY, "needs it")));
        boolean refused = !code.startsWith("done");
        assertTrue(
            !refused || rig.task("b").edge(EdgeKind.BLOCKS, "a").isEmpty(),
            circle + " at step " + step + ": " + code);
      }
    }
  }

  /// What is being cancelled takes no part any more.
  @Test
  void anotherLinkWhoseParentEnds() {
    TaskRig rig =
        unlinked(
            EdgeKind.PARENT,
            (meanwhile, now) -> {
              if (now == 1) {
                TaskRig.done(meanwhile.link("a", EdgeKind.PARENT, "b"));
              } else if (now == 2) {
                TaskRig.done(meanwhile.manage.cancel(TaskRig.BY, "b", "enough"));
              }
            });

    assertEquals(List.of(false, false), ends(rig, EdgeKind.PARENT));
    assertEquals(Optional.empty(), rig.task("a").parent());
  }
}
