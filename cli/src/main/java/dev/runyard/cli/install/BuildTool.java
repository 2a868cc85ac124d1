package dev.runyard.cli.install;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/// A program such as npm or Maven, run to its end; its lines are passed on.
public record BuildTool(Consumer<String> progress) {

  /// True if it exits with 0. It is ended, with what it started, when the caller is interrupted.
  public boolean succeeds(ProcessBuilder command) throws IOException, InterruptedException {
    Process process = command.redirectErrorStream(true).start();
    try {
      process.getOutputStream().close();
      try (var lines = process.inputReader(StandardCharsets.UTF_8)) {
        lines.lines().filter(line -> !line.isBlank()).forEach(progress);
      }
      return process.waitFor() == 0;
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }
}
