package dev.runyard.runner.attempt;

import dev.runyard.runner.backend.BackendContext;
import dev.runyard.runner.isolation.Isolation;
import dev.runyard.runner.process.ProcessLauncher;
import java.time.InstantSource;

/// What every backend may use of the runner.
///
/// @param isolation keeps the attempts apart
/// @param sessions the earlier messages of sessions
public record BackendServices(
    ProcessLauncher processes,
    Isolation isolation,
    InstantSource clock,
    BackendContext.Sessions sessions) {
  /// Services without isolation.
  public BackendServices(
      ProcessLauncher processes, InstantSource clock, BackendContext.Sessions sessions) {
    this(processes, Isolation.NONE, clock, sessions);
  }
}
