package dev.runyard.runner.network;

import dev.runyard.runner.isolation.Cell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/// Starts processes that confine themselves before they are the agent's. Thread-safe.
final class Begins {
  private final Path folder;
  private final AtomicLong begun = new AtomicLong();

  private Begins(Path folder) {
    this.folder = folder;
  }

  /// Begins in a new folder that only the runner may enter. The path of a socket must be short, so
  /// it is not below the runner's own folders.
  static Begins here() throws IOException {
    Path folder = Files.createTempDirectory("runyard");
    folder.toFile().deleteOnExit();
    return new Begins(folder);
  }

  /// Starts the builder's process, confined.
  Process start(ProcessBuilder builder, Cell.Starter starter) throws IOException {
    try (Confinement confinement =
        Confinement.in(folder, Long.toString(begun.incrementAndGet(), Character.MAX_RADIX))) {
      ProcessBuilder begin =
          new ProcessBuilder(confinement.command()).directory(builder.directory());
      begin.environment().clear();
      Process process = starter.start(begin);
      try {
        confinement.serve(process, builder.command(), builder.environment());
      } catch (IOException e) {
        process.destroyForcibly();
        throw e;
      }
      return process;
    }
  }
}
