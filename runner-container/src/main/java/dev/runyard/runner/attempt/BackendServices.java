package dev.runyard.runner.attempt;

import dev.runyard.runner.backend.BackendContext;
import dev.runyard.runner.gateway.ModelGateway;
import dev.runyard.runner.process.ProcessLauncher;
import java.time.InstantSource;

/// What every backend may use of the runner.
///
/// @param sessions the earlier messages of sessions
/// @param models where agents call their models
public record BackendServices(
    ProcessLauncher processes,
    InstantSource clock,
    BackendContext.Sessions sessions,
    ModelGateway models) {}
