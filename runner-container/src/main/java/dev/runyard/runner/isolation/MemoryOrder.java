package dev.runyard.runner.isolation;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// Which processes the kernel ends first when the machine or container has no memory left. Without
/// an order it is the largest, and that is the runner where an attempt fills memory that no process
/// has mapped; all attempts would end with it.
final class MemoryOrder {
  /// The most that the kernel knows: before every other one.
  private static final String FIRST = "1000";

  private MemoryOrder() {}

  /// Makes a process, and all it starts from now on, one of the first. Where the runner may not
  /// take a process's right to change that, it is made one again by the next look.
  ///
  /// @param process its folder
  static void first(Path process) {
    Path order = process.resolve("oom_score_adj");
    try {
      if (!Files.readString(order, StandardCharsets.US_ASCII).strip().equals(FIRST)) {
        Files.writeString(order, FIRST, StandardCharsets.US_ASCII);
      }
    } catch (IOException _) {
      return;
    }
  }
}
