package dev.runyard.runner;

import dev.runyard.core.application.Ports;
import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.fleet.Slots;
import dev.runyard.core.log.AppendNotices;
import dev.runyard.core.queue.RunQueue;

/// What a runner is connected to.
///
/// @param notices tells of what others append to a run
/// @param queue its work, which it waits for: where that is a connection of its own, not the one of
///   `ports`
public record RunnerPorts(
    Ports ports, AppendNotices notices, Slots slots, RunQueue queue, ArtifactStore artifacts) {
  /// A runner that uses the same connections for everything.
  public RunnerPorts(Ports ports, AppendNotices notices, ArtifactStore artifacts) {
    this(ports, notices, ports.slots(), ports.queue(), artifacts);
  }
}
