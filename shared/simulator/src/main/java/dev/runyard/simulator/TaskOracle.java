package dev.runyard.simulator;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.request.TaskRun;
import dev.runyard.core.run.RunState;
import dev.runyard.core.task.EdgeKind;
import dev.runyard.core.task.StoredTaskEvent;
import dev.runyard.core.task.TaskAttempt;
import dev.runyard.core.task.TaskEdge;
import dev.runyard.core.task.TaskEvent;
import dev.runyard.core.task.TaskFacts;
import dev.runyard.core.task.TaskFold;
import dev.runyard.core.task.TaskKey;
import dev.runyard.core.task.TaskState;
import dev.runyard.core.task.TaskStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// Asks whether the logs of tasks are right. T2: no task is blocked by what has completed. T3:
/// nothing starts after the intent to cancel, which reaches all below. T4: a task has each of its
/// runs once, which ended as it says. T5: no tasks wait for, or contain, each other.
final class TaskOracle {
  private final SimulatedSystem system;
  private final SimulatedLog log;
  private final boolean finished;
  private final Map<TaskKey, TaskFacts> tasks = new HashMap<>();
  private final List<Violation> violations = new ArrayList<>();

  private TaskOracle(SimulatedSystem system, RightsOracle rights) {
    this.system = system;
    this.finished = rights.finishes(Right.Need.TASKS);
    this.log = system.log();
  }

  static List<Violation> check(SimulatedSystem system, RightsOracle rights) {
    TaskOracle oracle = new TaskOracle(system, rights);
    for (TaskKey task : oracle.log.tasks()) {
      oracle.starts(task);
      oracle.fold(task);
    }
    if (oracle.finished) {
      oracle.tasks.values().forEach(oracle::task);
    }
    for (EdgeKind kind : List.of(EdgeKind.PARENT, EdgeKind.BLOCKED_BY)) {
      oracle.tasks.values().forEach(task -> oracle.circle(task, kind));
    }
    oracle.log.runs().forEach(oracle::run);
    return List.copyOf(oracle.violations);
  }

  /// True for a run that its task may have ended.
  static boolean stops(SimulatedLog log, RunState.Existing run) {
    TaskRun of = run.facts().request().task();
    return of != null
        && log.events(new TaskKey(run.facts().run().tenant(), of.taskId())).stream()
            .anyMatch(
                stored ->
                    stored.event() instanceof TaskEvent.CancelRequested
                        || stored.event() instanceof TaskEvent.Paused);
  }

  /// True when the task does not go on by itself.
  static boolean rests(SimulatedLog log, TaskKey key) {
    return switch (folded(log.events(key))) {
      case TaskState.Absent _, TaskState.Archived _ -> true;
      case TaskState.Ended(TaskFacts task) -> task.pending().isEmpty();
      case TaskState.Open(TaskFacts task) ->
          task.active().findAny().isEmpty()
              && task.cancel() == null
              && task.pending().isEmpty()
              && !task.startable()
              && task.blockers().stream().noneMatch(other -> completed(log, key, other));
    };
  }

  private static boolean completed(SimulatedLog log, TaskKey of, String other) {
    return folded(log.events(new TaskKey(of.tenant(), other))) instanceof TaskState.Existing task
        && task.facts().ended() == TaskStatus.COMPLETED;
  }

  private static TaskState folded(List<StoredTaskEvent> events) {
    TaskState state = TaskState.absent();
    for (StoredTaskEvent stored : events) {
      state = TaskFold.evolve(state, stored);
    }
    return state;
  }

  private void fold(TaskKey key) {
    try {
      if (folded(log.events(key)) instanceof TaskState.Existing task) {
        tasks.put(key, task.facts());
        long saved = system.tasks().snapshot(key).map(TaskState::sequence).orElse(0L);
        expect(
            saved == task.sequence() || !finished, "T4", "the snapshot of %s is at %d", key, saved);
      }
    } catch (IllegalStateException e) {
      expect(false, "T4", "%s does not fold: %s", key, String.valueOf(e.getMessage()));
    }
  }

  private void starts(TaskKey task) {
    boolean stopping = false;
    Set<Integer> numbers = new HashSet<>();
    for (StoredTaskEvent stored : log.events(task)) {
      stopping |= stored.event() instanceof TaskEvent.CancelRequested;
      if (stored.event() instanceof TaskEvent.AttemptStarted started) {
        expect(!stopping, "T3", "%s starts %s after the cancel", task, started.runId());
        expect(numbers.add(started.attempt()), "T4", "run %d of %s twice", started.attempt(), task);
      }
    }
  }

  private void task(TaskFacts task) {
    boolean over = task.status().ended();
    for (String blocker : over ? List.<String>of() : task.blockers()) {
      expect(
          !completed(log, task.task(), blocker),
          "T2",
          "%s is blocked by %s, which is completed",
          task.task(),
          blocker);
    }
    expect(!task.startable(), "T2", "%s is held back by nothing: %s", task.task(), task);
    expect(task.pending().isEmpty(), "T5", "nobody looked at edges of %s", task.task());
    if (task.cancel() != null) {
      expect(task.status().ended(), "T3", "%s is still being cancelled", task.task());
      task.to(EdgeKind.CHILD).stream().map(id -> other(task, id)).forEach(this::reached);
    }
    task.attempts().forEach(attempt -> attempt(task, attempt));
    bothEnds(task, EdgeKind.PARENT, EdgeKind.CHILD);
    bothEnds(task, EdgeKind.BLOCKED_BY, EdgeKind.BLOCKS);
  }

  private static TaskKey other(TaskFacts task, String id) {
    return new TaskKey(task.task().tenant(), id);
  }

  /// A cancel also reaches what is below a task that was completed before.
  private void reached(TaskKey child) {
    TaskFacts below = tasks.get(child);
    expect(
        below == null || below.status().ended(),
        "T3",
        "the cancel did not reach %s, which is %s",
        child,
        below == null ? "" : below.status());
    if (below != null && below.cancel() == null) {
      below.to(EdgeKind.CHILD).stream().map(id -> other(below, id)).forEach(this::reached);
    }
  }

  private void attempt(TaskFacts task, TaskAttempt attempt) {
    RunKey run = new RunKey(task.task().tenant(), attempt.runId());
    if (!log.runs().contains(run)) {
      expect(false, "T4", "%s names %s, which is not there", task.task(), run);
      return;
    }
    RunState.Existing state = state(run);
    boolean same =
        switch (state) {
          case RunState.Completed _ -> attempt.status() == TaskStatus.COMPLETED;
          case RunState.Cancelled _ -> attempt.status() == TaskStatus.CANCELLED;
          case RunState.Failed _ -> attempt.status().retryable();
          case RunState.Open _ -> false;
        };
    expect(
        same && !attempt.active(),
        "T4",
        "%s has %s as %s, which is %s",
        task.task(),
        run,
        attempt.status(),
        state.phase());
  }

  private RunState.Existing state(RunKey run) {
    RunState state = RunState.absent();
    for (var chunk : log.whole(run)) {
      state = RunLog.behind(state, chunk);
    }
    return (RunState.Existing) state;
  }

  /// A run of a task is one of those that its log names.
  private void run(RunKey run) {
    TaskRun of = state(run).facts().request().task();
    boolean item = state(run).facts().request().item() != null;
    TaskFacts task = of == null ? null : tasks.get(new TaskKey(run.tenant(), of.taskId()));
    expect(
        of == null || item || (task != null && task.attempt(run.runId()).isPresent()),
        "T4",
        "%s is a run of %s, which does not name it",
        run,
        Objects.toString(of));
  }

  private void bothEnds(TaskFacts task, EdgeKind kind, EdgeKind inverse) {
    for (String id : task.to(kind)) {
      TaskFacts other = tasks.get(other(task, id));
      expect(
          other != null && other.edge(inverse, task.task().taskId()).isPresent(),
          "T5",
          "%s %s %s is only there at one end",
          task.task(),
          kind,
          id);
    }
  }

  private void circle(TaskFacts from, EdgeKind kind) {
    Set<String> seen = new HashSet<>();
    List<String> level = List.of(from.task().taskId());
    while (!level.isEmpty()) {
      List<String> next = new ArrayList<>();
      for (String id : level) {
        TaskFacts task = tasks.get(other(from, id));
        if (task != null) {
          task.edges().stream()
              .filter(edge -> edge.kind() == kind && edge.status() != TaskEdge.Status.PENDING)
              .map(TaskEdge::to)
              .filter(seen::add)
              .forEach(next::add);
        }
      }
      level = next;
    }
    expect(
        !seen.contains(from.task().taskId()), "T5", "%s comes to itself by %s", from.task(), kind);
  }

  private void expect(boolean holds, String invariant, String detail, Object... values) {
    if (!holds) {
      violations.add(new Violation(invariant, detail.formatted(values)));
    }
  }
}
