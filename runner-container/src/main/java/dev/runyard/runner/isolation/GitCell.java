package dev.runyard.runner.isolation;

import dev.runyard.core.event.SandboxApplied;
import dev.runyard.core.problem.Failure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// Surrounds the runner's own git, which has the runner's user but works on what a repository
/// decides: its memory is bounded, and when the machine has none left, it ends before the runner
/// and not after the attempts beside it.
public final class GitCell implements Cell {
  /// Memory that a git process of the runner may ask for. What git maps of a repository's packs is
  /// not counted.
  public static final long GIT_MEMORY_BYTES_MAX = 2L * 1024 * 1024 * 1024;

  private static final List<String> LIMITS =
      UserCommands.program("prlimit")
          .map(prlimit -> UserCommands.memoryBounded(prlimit, GIT_MEMORY_BYTES_MAX))
          .orElse(List.of());

  /// The arguments before those of git; none where the system has no program for them.
  public static List<String> limits() {
    return LIMITS;
  }

  /// Starts git.
  public static Process start(ProcessBuilder builder) throws IOException {
    Process process = builder.start();
    MemoryOrder.first(Path.of("/proc", Long.toString(process.pid())));
    return process;
  }

  @Override
  public Entrance enter(Path workingDir, Map<String, String> environment) {
    return new Entrance(
        LIMITS, List.of(), Variables.UNCHANGED, Optional.empty(), workingDir, GitCell::start);
  }

  @Override
  public Watching watch(Consumer<Failure> reached) {
    return Watching.NONE;
  }

  @Override
  public Optional<SandboxApplied> told() {
    return Optional.empty();
  }

  @Override
  public boolean replacesSandbox() {
    return false;
  }

  @Override
  public boolean close() {
    return true;
  }
}
