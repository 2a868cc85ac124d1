package dev.runyard.core.task;

import dev.runyard.core.event.Requester;
import dev.runyard.core.problem.Problem;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Links tasks with each other and with other things. An edge between two tasks that must not close
/// a circle is first written as pending into the log of the task that depends on the other; then it
/// is looked whether it closes one, and only if it does not it counts. Both of two such edges may
/// be refused when they come at once, but never none.
public final class LinkTasks {
  /// How often an end is looked at that others go on changing.
  private static final int LOOKS_MAX = 5;

  private final TaskLog tasks;
  private final TaskGraph graph;

  public LinkTasks(TaskLog tasks) {
    this.tasks = tasks;
    this.graph = new TaskGraph(tasks);
  }

  /// An edge as somebody wants it.
  ///
  /// @param by null for nobody in particular
  public record Wish(
      TaskKey task, EdgeKind kind, String to, @Nullable String reason, @Nullable Requester by) {
    TaskKey other() {
      return new TaskKey(task.tenant(), to);
    }

    /// The same, seen from the task whose log decides.
    Wish decided() {
      EdgeKind inverse = kind.inverse();
      return inverse == null || kind.decides()
          ? this
          : new Wish(other(), inverse, task.taskId(), reason, by);
    }
  }

  public TaskResult link(Wish wish) {
    EdgeKind inverse = wish.kind().inverse();
    if (inverse == null) {
      return done(wish.task(), add(wish, TaskEdge.Status.ACTIVE));
    }
    TaskResult result = decide(wish.decided());
    return result instanceof TaskResult.Done done ? shown(wish, done) : result;
  }

  private TaskResult decide(Wish wish) {
    if (wish.task().equals(wish.other())) {
      return new TaskResult.Rejected(TaskResult.problem(TaskGraph.Fault.CIRCLE));
    }
    if (tasks.load(wish.other()) instanceof TaskState.Absent) {
      return new TaskResult.Rejected(TaskResult.problem(TaskDecision.Reason.NO_TASK));
    }
    TaskResult result = done(wish.task(), add(wish, TaskEdge.Status.PENDING));
    boolean pending =
        result instanceof TaskResult.Done done
            && done.task()
                .facts()
                .edge(wish.kind(), wish.to())
                .filter(edge -> edge.status() == TaskEdge.Status.PENDING)
                .isPresent();
    return pending ? settle(wish) : result;
  }

  /// Finds out whether a pending edge may be, and says so in both logs.
  TaskResult settle(Wish wish) {
    Optional<Problem> fault =
        graph.fault(wish.task(), wish.kind(), wish.to()).map(TaskResult::problem);
    if (fault.isEmpty()) {
      TaskResult there = done(wish.other(), add(back(wish), TaskEdge.Status.ACTIVE));
      if (there instanceof TaskResult.Rejected rejected) {
        fault = Optional.of(rejected.problem());
      }
    }
    return fault.map(problem -> withdrawn(wish, problem)).orElseGet(() -> confirmed(wish));
  }

  private TaskResult confirmed(Wish wish) {
    TaskResult result = done(wish.task(), add(wish, TaskEdge.Status.ACTIVE));
    if (result instanceof TaskResult.Done done && hasEdge(done, wish)) {
      return result;
    }
    mirror(wish);
    return result instanceof TaskResult.Done
        ? new TaskResult.Rejected(TaskResult.problem(TaskGraph.Fault.CIRCLE))
        : result;
  }

  private TaskResult withdrawn(Wish wish, Problem problem) {
    TaskResult result = done(wish.task(), remove(wish, true));
    if (result instanceof TaskResult.Done done && hasEdge(done, wish)) {
      return result;
    }
    mirror(wish);
    return new TaskResult.Rejected(problem);
  }

  private static boolean hasEdge(TaskResult.Done done, Wish wish) {
    return done.task().facts().edge(wish.kind(), wish.to()).isPresent();
  }

  private Optional<TaskEdge> edge(Wish wish) {
    return tasks.load(wish.task()) instanceof TaskState.Existing task
        ? task.facts()
            .edge(wish.kind(), wish.to())
            .filter(edge -> !task.closed() || edge.status() != TaskEdge.Status.PENDING)
        : Optional.empty();
  }

  /// Takes the edge away from the other end too, unless others have linked the two again by then:
  /// whoever writes there last has seen since what the task that decides says. If the other end
  /// takes no edge any more, it goes from both.
  private void mirror(Wish wish) {
    Optional<TaskEdge> there = Optional.empty();
    for (int i = 0; i < LOOKS_MAX; i++) {
      TaskCommand same =
          there.map(edge -> again(wish, edge)).orElseGet(() -> remove(back(wish), false));
      if (done(wish.other(), same) instanceof TaskResult.Rejected && there.isPresent()) {
        var _ = done(wish.task(), remove(wish, false));
      }
      Optional<TaskEdge> now = edge(wish);
      if (now.isPresent() == there.isPresent()) {
        return;
      }
      there = now;
    }
  }

  private static TaskCommand again(Wish wish, TaskEdge edge) {
    Wish back = back(wish);
    return new TaskCommand.Link(
        back.kind(), back.to(), TaskEdge.Status.ACTIVE, edge.reason(), null);
  }

  /// The same edge at its other end.
  private static Wish back(Wish wish) {
    EdgeKind inverse = wish.kind() == EdgeKind.PARENT ? EdgeKind.CHILD : EdgeKind.BLOCKS;
    return new Wish(wish.other(), inverse, wish.task().taskId(), wish.reason(), wish.by());
  }

  /// Takes an edge away, from both ends. A task that was put away keeps its edges.
  public TaskResult unlink(Wish wish) {
    if (tasks.load(wish.task()) instanceof TaskState.Archived(TaskFacts away)
        && away.edge(wish.kind(), wish.to()).isPresent()) {
      return new TaskResult.Rejected(TaskResult.problem(TaskDecision.Reason.CLOSED));
    }
    Wish decided = wish.decided();
    TaskResult result = done(decided.task(), remove(decided, false));
    if (!decided.kind().decides() || result instanceof TaskResult.Rejected) {
      return result;
    }
    mirror(decided);
    return result instanceof TaskResult.Done done ? shown(wish, done) : result;
  }

  /// The task that was asked about, which may be the other end.
  private TaskResult shown(Wish wish, TaskResult.Done done) {
    return tasks.load(wish.task()) instanceof TaskState.Existing task
        ? new TaskResult.Done(task, done.changed())
        : done;
  }

  private TaskResult done(TaskKey task, TaskCommand command) {
    var result = tasks.execute(task, tasks.load(task), command);
    return TaskResult.of(result.state(), result.decision());
  }

  private static TaskCommand add(Wish wish, TaskEdge.Status status) {
    return new TaskCommand.Link(wish.kind(), wish.to(), status, wish.reason(), wish.by());
  }

  private static TaskCommand remove(Wish wish, boolean pending) {
    return new TaskCommand.Unlink(wish.kind(), wish.to(), pending, wish.reason(), wish.by());
  }
}
