package dev.runyard.core.job;

/// How much a job may be.
public final class JobLimits {
  /// Most items of a job.
  public static final int ITEMS_MAX = 100_000;

  /// Most items that one request adds.
  public static final int ITEMS_ADDED_MAX = 1_000;

  /// Most requests that add items to one job.
  public static final int ADDITIONS_MAX = 500;

  /// Most items of a job that run at once.
  public static final int CONCURRENCY_MAX = 200;

  public static final int CONCURRENCY_DEFAULT = 10;

  /// Most runs of one item, its retries included.
  public static final int ITEM_RUNS_MAX = 10;

  /// Longest time from the start of a job to its end.
  public static final int JOB_SECONDS_MAX = 30 * 24 * 3600;

  /// Most bytes of what somebody reports of an item.
  public static final int REPORT_BYTES_MAX = 4096;

  /// Most bytes of what a job tells of how an item's run failed; the run has the whole.
  public static final int ITEM_ERROR_BYTES_MAX = 1024;

  /// Most items that one page shows.
  public static final int ITEMS_LISTED_MAX = 200;

  /// Most jobs that one page shows.
  public static final int JOBS_LISTED_MAX = 100;

  /// Bytes that the requests which are stored together add to the first of them, deflated.
  public static final int INPUTS_BYTES_MAX = 16 * 1024;

  /// Characters of JSON that the items of one request have together, each with what all have in
  /// common.
  public static final int CHECKED_CHARS_MAX = 32 * 1024 * 1024;

  private JobLimits() {}
}
