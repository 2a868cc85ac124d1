package dev.runyard.runner.attempt;

import dev.runyard.runner.backend.BackendContext;
import dev.runyard.runner.gateway.ModelGateway;
import dev.runyard.runner.isolation.Isolation;
import dev.runyard.runner.network.AgentNetworks;
import dev.runyard.runner.process.Pacer;
import dev.runyard.runner.process.ProcessLauncher;
import java.time.InstantSource;

/// What every backend may use of the runner.
///
/// @param isolation keeps the attempts apart
/// @param networks limit what they reach
/// @param sessions the earlier messages of sessions
/// @param models where agents call their models
public record BackendServices(
    ProcessLauncher processes,
    Isolation isolation,
    AgentNetworks networks,
    RunnerTime time,
    BackendContext.Sessions sessions,
    ModelGateway models) {
  /// Services without isolation.
  public BackendServices(
      ProcessLauncher processes,
      InstantSource clock,
      BackendContext.Sessions sessions,
      ModelGateway models) {
    this(
        processes, Isolation.NONE, AgentNetworks.UNLIMITED, RunnerTime.by(clock), sessions, models);
  }

  InstantSource clock() {
    return time.clock();
  }

  Pacer pacer() {
    return time.pacer();
  }
}
