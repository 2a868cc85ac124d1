package dev.runyard.runner;

import dev.runyard.core.application.Ports;
import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.fleet.Slots;
import dev.runyard.core.log.AppendNotices;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.secret.SecretVault;

/// What a runner is connected to.
///
/// @param notices tells of what others append to a run
/// @param queue its work, which it waits for: where that is a connection of its own, not the one of
///   `ports`
/// @param vault keeps the operator's secrets
public record RunnerPorts(
    Ports ports,
    AppendNotices notices,
    Slots slots,
    RunQueue queue,
    ArtifactStore artifacts,
    SecretVault vault) {
  /// A runner that uses the same connections for everything.
  public RunnerPorts(
      Ports ports, AppendNotices notices, ArtifactStore artifacts, SecretVault vault) {
    this(ports, notices, ports.slots(), ports.queue(), artifacts, vault);
  }
}
