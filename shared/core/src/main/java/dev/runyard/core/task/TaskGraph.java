package dev.runyard.core.task;

import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Tasks and what they have to do with each other. Edges count from when they are written down
/// ([TaskEdge.Status#PENDING]), so that of two that would close a circle together at least one is
/// found to.
final class TaskGraph {
  private final TaskLog tasks;

  TaskGraph(TaskLog tasks) {
    this.tasks = tasks;
  }

  /// Why an edge may not be.
  enum Fault {
    CIRCLE,
    TOO_DEEP
  }

  /// Why `task` may not have the edge of that kind to the other one.
  ///
  /// @param kind [EdgeKind#PARENT] or [EdgeKind#BLOCKED_BY]
  Optional<Fault> fault(TaskKey task, EdgeKind kind, String other) {
    Budget budget = new Budget();
    Walk above = new Walk(task.tenant(), kind, budget);
    if (task.taskId().equals(other) || above.finds(other, task.taskId())) {
      return Optional.of(Fault.CIRCLE);
    }
    EdgeKind back = kind == EdgeKind.PARENT ? EdgeKind.CHILD : EdgeKind.BLOCKS;
    Walk below = new Walk(task.tenant(), back, budget);
    var _ = below.finds(task.taskId(), "");
    return above.levels + below.levels > TaskLimits.DEPTH_MAX
        ? Optional.of(Fault.TOO_DEEP)
        : Optional.empty();
  }

  /// True when another task may be a part of this one.
  boolean hasRoomBelow(TaskKey task) {
    Walk above = new Walk(task.tenant(), EdgeKind.PARENT, new Budget());
    var _ = above.finds(task.taskId(), "");
    return above.levels < TaskLimits.DEPTH_MAX;
  }

  /// What is above a task.
  ///
  /// @param cancel why the nearest of these is being cancelled, or was, that is; null if none is
  /// @param root the uppermost that was looked at, which is the task itself where nothing is above
  ///   it
  record Above(@Nullable String cancel, String root) {
    boolean stopped() {
      return cancel != null;
    }
  }

  boolean stoppedAbove(TaskFacts task) {
    return above(task).stopped();
  }

  Above above(TaskFacts task) {
    String root = task.task().taskId();
    Optional<String> above = task.parent();
    for (int i = 0; above.isPresent() && i < TaskLimits.DEPTH_MAX; i++) {
      if (!(tasks.load(new TaskKey(task.task().tenant(), above.get()))
          instanceof TaskState.Existing parent)) {
        return new Above(null, root);
      }
      root = above.get();
      if (parent.facts().cancel() != null) {
        return new Above(parent.facts().cancel(), root);
      }
      above = parent.facts().parent();
    }
    return new Above(null, root);
  }

  /// How many tasks may still be looked at for a request.
  private static final class Budget {
    private int left = TaskLimits.LOOKED_AT_MAX;

    boolean takes() {
      return left-- > 0;
    }
  }

  /// One way through the graph, level by level.
  private final class Walk {
    private final String tenant;
    private final EdgeKind along;
    private int levels;
    private final Budget budget;

    Walk(String tenant, EdgeKind along, Budget budget) {
      this.tenant = tenant;
      this.along = along;
      this.budget = budget;
    }

    /// Whether the way comes to `wanted`. It is as deep as it may be when it takes too long.
    boolean finds(String from, String wanted) {
      Set<String> level = Set.of(from);
      while (!level.isEmpty() && levels <= TaskLimits.DEPTH_MAX) {
        levels++;
        Set<String> next = new LinkedHashSet<>();
        for (String id : level) {
          if (!budget.takes()) {
            levels = TaskLimits.DEPTH_MAX + 1;
            return false;
          }
          if (tasks.load(new TaskKey(tenant, id)) instanceof TaskState.Existing task) {
            next.addAll(task.facts().to(along));
          }
        }
        if (next.contains(wanted)) {
          return true;
        }
        level = next;
      }
      return false;
    }
  }
}
