package dev.runyard.runner.isolation;

import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;

/// The failures of attempts that reach a limit.
public final class LimitReached {
  /// The signal that the kernel sends to a process whose file grows too large.
  public static final int FILE_SIGNAL = 25;

  private static final long MIB_BYTES = 1024L * 1024;

  private LimitReached() {}

  static Failure memory(long bytes) {
    return failure(
        Failure.MEMORY_LIMIT_REACHED,
        "The agent's processes took more than %d MiB of memory".formatted(bytes / MIB_BYTES),
        "memory_mib");
  }

  static Failure processes(int most) {
    return failure(
        Failure.PROCESS_LIMIT_REACHED,
        "The agent had more than %d processes and threads at once".formatted(most),
        "processes");
  }

  static Failure disk(long bytes) {
    return failure(
        Failure.DISK_LIMIT_REACHED,
        "The agent's files took more than %d MiB of disk".formatted(bytes / MIB_BYTES),
        "disk_mib");
  }

  static Failure entries(int most) {
    return failure(
        Failure.FILE_COUNT_LIMIT_REACHED,
        "The agent made more than %d files and folders, or such as take too long or too much to count"
            .formatted(most),
        "disk_entries");
  }

  /// The agent's own process died because a file grew too large.
  public static Failure fileSize() {
    return failure(
        Failure.FILE_SIZE_LIMIT_REACHED,
        "The agent wrote a file larger than it may be",
        "file_mib");
  }

  private static Failure failure(String code, String what, String member) {
    return new Failure(
        code,
        Category.CAPACITY,
        what
            + ", so the runner stopped it. Give it less to do at once, or raise "
            + member
            + " of the parameter AttemptLimits.");
  }
}
