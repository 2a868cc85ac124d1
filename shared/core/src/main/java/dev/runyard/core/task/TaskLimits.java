package dev.runyard.core.task;

/// How much a task may be.
public final class TaskLimits {
  /// Most edges of a task.
  public static final int EDGES_MAX = 200;

  /// Most tasks above each other, and most that wait for each other in a row.
  public static final int DEPTH_MAX = 32;

  /// Most tasks that one request looks at: each is a read of a log, and an answer must come in
  /// time.
  public static final int LOOKED_AT_MAX = 300;

  /// Most runs of a task.
  public static final int RUNS_MAX = 100;

  /// Most jobs of a task.
  public static final int JOBS_MAX = 100;

  /// Most bytes of a title, a kind, a family, a name, a reference and of why a task is linked.
  public static final int NAME_BYTES_MAX = 256;

  /// Most bytes of an objective, a scope, a summary and a note.
  public static final int TEXT_BYTES_MAX = 4096;

  /// Most bytes of why a task is tried again.
  public static final int RETRY_REASON_BYTES_MAX = 1024;

  /// Most constraints of a task, each with as many bytes as a name.
  public static final int CONSTRAINTS_MAX = 50;

  /// Largest priority; the smallest is its negative.
  public static final int PRIORITY_MAX = 100;

  /// Most bytes of what a task tells of how a run failed; the run has the whole.
  public static final int ERROR_BYTES_MAX = 1024;

  /// Most tasks that one page shows.
  public static final int TASKS_LISTED_MAX = 100;

  /// Most tasks that are looked at for one page of a list with a filter.
  public static final int FILTERED_MAX = 1_000;

  private TaskLimits() {}
}
