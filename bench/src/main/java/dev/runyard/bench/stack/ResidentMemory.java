package dev.runyard.bench.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The memory of a process that is in RAM, as Linux tells it.
public final class ResidentMemory {
  private static final String FIELD = "VmRSS:";

  private ResidentMemory() {}

  /// 0 for a process that is gone.
  public static double megabytes(ProcessHandle process) throws IOException {
    Path status = Path.of("/proc", Long.toString(process.pid()), "status");
    if (!Files.isReadable(status)) {
      return 0;
    }
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith(FIELD))
        .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D", "")) / 1024)
        .findFirst()
        .orElse(0);
  }
}
