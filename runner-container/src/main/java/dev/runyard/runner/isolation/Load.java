package dev.runyard.runner.isolation;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// What one line of the kernel tells of the whole machine.
///
/// @param running threads that have a processor or want one
/// @param threads all there are
/// @param newest the number that was given to a process or thread last
record Load(int running, int threads, int newest) {
  private static final Path LINE = Path.of("/proc/loadavg");

  // The line has three averages, `running/threads`, and the newest.
  private static final int COUNTS = 3;
  private static final int NEWEST = 4;

  /// Now, or as it was before while somebody has all descriptors of the machine.
  static Load now(Load before) {
    try {
      String[] fields = Files.readString(LINE, StandardCharsets.US_ASCII).strip().split(" ", -1);
      String[] counts = fields[COUNTS].split("/", -1);
      return new Load(
          Integer.parseInt(counts[0]),
          Integer.parseInt(counts[1]),
          Integer.parseInt(fields[NEWEST]));
    } catch (IOException _) {
      return before;
    }
  }
}
