package dev.runyard.runner.isolation;

import dev.runyard.core.event.SandboxApplied;
import dev.runyard.core.problem.Failure;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// Surrounds nothing.
record OpenCell(Optional<SandboxApplied> told) implements Cell {
  @Override
  public Entrance enter(Path workingDir, Map<String, String> environment) {
    return new Entrance(List.of(), List.of(), Variables.UNCHANGED, Optional.empty(), workingDir);
  }

  @Override
  public Watching watch(Consumer<Failure> reached) {
    return Watching.NONE;
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
