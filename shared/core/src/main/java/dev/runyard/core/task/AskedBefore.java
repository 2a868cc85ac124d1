package dev.runyard.core.task;

import java.util.List;
import java.util.Optional;

/// Knows whether a request about a task that comes again was done: what it wants was so when it
/// came first, or became so since. Others may have changed that again meanwhile, and it does not
/// count a second time.
public final class AskedBefore {
  private static final String SINCE = "@";
  private static final String WAS_SO = "=";

  private final TaskLog tasks;
  private final TaskRequestReader reader;

  AskedBefore(TaskLog tasks, TaskRequestReader reader) {
    this.tasks = tasks;
    this.reader = reader;
  }

  /// The moment at which a request comes first, as text to which its key is bound.
  public String mark(TaskFacts task, Optional<TaskWant> want) {
    boolean was = want.filter(one -> isSo(task, one)).isPresent();
    return task.attempts().size() + SINCE + task.sequence() + (was ? WAS_SO : "");
  }

  /// How many runs the task had at that moment.
  public static int runs(String mark) {
    return Integer.parseInt(mark.split(SINCE, 2)[0]);
  }

  /// True when what was wanted at that moment has been done. A mark of an earlier release does not
  /// tell.
  public boolean isDone(TaskFacts task, String mark, TaskWant want) {
    int at = mark.indexOf(SINCE);
    if (at < 0) {
      return false;
    }
    return mark.endsWith(WAS_SO)
        || became(task, tasks.after(task.task(), Long.parseLong(mark.substring(at + 1))), want);
  }

  private boolean isSo(TaskFacts task, TaskWant want) {
    return switch (want) {
      case TaskWant.Paused _ -> task.paused() != null;
      case TaskWant.Resumed _ -> task.paused() == null;
      case TaskWant.Failed _ -> task.status().retryable();
      case TaskWant.Progress _ -> false;
      case TaskWant.Edge(EdgeKind kind, String to, boolean there) ->
          task.edge(kind, to).isPresent() == there;
      case TaskWant.Terms(var body) ->
          !body.has(TaskRequestReader.REQUEST) && isOf(task, task.terms(), want);
    };
  }

  private boolean became(TaskFacts task, List<TaskEvent> since, TaskWant want) {
    boolean became = false;
    for (TaskEvent event : since) {
      became = (became && !undoes(event, want)) || makes(task, event, want);
    }
    return became;
  }

  /// A pause that could not be is taken back at once.
  private static boolean undoes(TaskEvent event, TaskWant want) {
    return want instanceof TaskWant.Paused
        && event instanceof TaskEvent.Resumed resumed
        && resumed.isUndone();
  }

  private boolean makes(TaskFacts task, TaskEvent event, TaskWant want) {
    return switch (want) {
      case TaskWant.Paused _ -> event instanceof TaskEvent.Paused;
      case TaskWant.Resumed _ -> event instanceof TaskEvent.Resumed resumed && !resumed.isUndone();
      case TaskWant.Failed _ -> event instanceof TaskEvent.Failed;
      case TaskWant.Progress(TaskProgress progress) ->
          event instanceof TaskEvent.Progressed progressed
              && progressed.progress().equals(progress);
      case TaskWant.Edge wanted ->
          event instanceof TaskEvent.DependencyUpdated edge && is(edge, wanted);
      case TaskWant.Terms(var body) ->
          switch (event) {
            case TaskEvent.Accepted _ -> body.has("draft") && body.size() == 1;
            case TaskEvent.Updated updated ->
                isOf(task, updated.terms(), want)
                    && (!body.has(TaskRequestReader.REQUEST)
                        || body.get(TaskRequestReader.REQUEST).equals(updated.request()));
            case TaskEvent _ -> false;
          };
    };
  }

  private static boolean is(TaskEvent.DependencyUpdated edge, TaskWant.Edge wanted) {
    boolean gone = edge.status() == null;
    return edge.kind() == wanted.kind()
        && edge.to().equals(wanted.to())
        && edge.status() != TaskEdge.Status.PENDING
        && wanted.there() != gone;
  }

  /// True when an update would leave these terms as they are.
  private boolean isOf(TaskFacts task, TaskTerms terms, TaskWant want) {
    TaskDraft draft = new TaskDraft(task, task.sequence(), task.at());
    draft.terms = terms;
    return want instanceof TaskWant.Terms(var body)
        && reader
            .update(draft.facts(), body)
            .map(
                read ->
                    read.terms().equals(terms)
                        && (read.draft() == task.draft() || !body.has("draft")),
                _ -> false);
  }
}
