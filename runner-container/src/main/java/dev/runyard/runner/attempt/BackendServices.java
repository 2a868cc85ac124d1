package dev.runyard.runner.attempt;

import dev.runyard.runner.backend.BackendContext;
import dev.runyard.runner.process.ProcessLauncher;
import java.time.InstantSource;

/// What every backend may use of the runner.
///
/// @param sessions what was said in sessions before
public record BackendServices(
    ProcessLauncher processes, InstantSource clock, BackendContext.Sessions sessions) {}
