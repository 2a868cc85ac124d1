package dev.runyard.core.task;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.OnceEach;
import dev.runyard.core.request.TaskRun;
import dev.runyard.core.run.RunState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a batch of changes says of tasks: runs of theirs, and tasks that changed. Each task is
/// advanced once, however many of its runs are in the batch; whoever asks again gets the same
/// result.
public final class TaskBatch {
  private final AdvanceTask advance;
  private final Map<TaskKey, List<RunState.Existing>> seen = new HashMap<>();
  private final Map<RunKey, TaskKey> tasks = new HashMap<>();
  private final OnceEach<TaskKey> done = new OnceEach<>();

  public TaskBatch(AdvanceTask advance) {
    this.advance = advance;
  }

  /// A run is in this state now. An item of a job is told to that.
  public synchronized void saw(RunState state) {
    if (state instanceof RunState.Existing run) {
      TaskRun of = run.facts().request().task();
      if (of != null && run.facts().request().item() == null) {
        RunKey key = run.facts().run();
        TaskKey task = new TaskKey(key.tenant(), of.taskId());
        tasks.put(key, task);
        seen.computeIfAbsent(task, _ -> new ArrayList<>()).add(run);
      }
    }
  }

  /// A task has changed.
  public synchronized void named(TaskKey task) {
    seen.computeIfAbsent(task, _ -> new ArrayList<>());
  }

  /// True when there are tasks to advance.
  public synchronized boolean any() {
    return !seen.isEmpty();
  }

  /// Advances the task of the run, if the run was seen and has one.
  public void advanceOf(RunKey run) {
    TaskKey task = taskOf(run);
    if (task != null) {
      advance(task);
    }
  }

  private synchronized @Nullable TaskKey taskOf(RunKey run) {
    return tasks.get(run);
  }

  /// Advances the task, and fails if that fails.
  public void advance(TaskKey task) {
    done.run(task, () -> advance.advance(task, seenOf(task)));
  }

  private synchronized List<RunState.Existing> seenOf(TaskKey task) {
    return List.copyOf(seen.getOrDefault(task, List.of()));
  }
}
