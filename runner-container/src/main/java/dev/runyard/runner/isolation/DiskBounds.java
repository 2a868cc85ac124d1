package dev.runyard.runner.isolation;

import java.time.Duration;
import java.util.function.LongSupplier;

/// How far what an attempt has on its disk is counted.
///
/// @param bytes more than these need not be told apart
/// @param entries files and folders; more need not be told apart
/// @param waitingBytes memory for names of folders that wait to be entered; with more, they are too
///   many
/// @param others files and folders of others, and names that they may have given to files of this
///   user, in folders where all may write; with more of these names, they are too many
/// @param nanoTime a clock that only goes on
record DiskBounds(long bytes, long entries, long waitingBytes, int others, LongSupplier nanoTime) {
  /// How long a look may be. Files that take longer to count are too many: until they are counted,
  /// nobody knows what is written.
  static final int LOOK_SECONDS_MAX = 60;

  /// Room for 500,000 short names.
  static final int WAITING_BYTES_MAX = 32 * 1024 * 1024;

  static DiskBounds of(long bytes, long entries) {
    return new DiskBounds(
        bytes,
        entries,
        WAITING_BYTES_MAX,
        SharedRemains.WHOLE_ENTRIES_MAX,
        new WorkTime(System::nanoTime));
  }

  boolean isTooLong(long nanos) {
    return nanos > Duration.ofSeconds(LOOK_SECONDS_MAX).toNanos();
  }
}
