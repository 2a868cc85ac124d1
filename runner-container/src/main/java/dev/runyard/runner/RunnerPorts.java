package dev.runyard.runner;

import dev.runyard.core.application.Ports;
import dev.runyard.core.artifact.Bucket;
import dev.runyard.core.fleet.Slots;
import dev.runyard.core.log.AppendNotices;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.secret.SecretVault;

/// What a runner is connected to.
///
/// @param notices tells of what others append to a run
/// @param queue its work, which it waits for: where that is a connection of its own, not the one of
///   `ports`
/// @param bucket what attempts store
/// @param vault keeps the operator's secrets
public record RunnerPorts(
    Ports ports,
    AppendNotices notices,
    Slots slots,
    RunQueue queue,
    Bucket bucket,
    SecretVault vault) {
  /// A runner that uses the same connections for everything.
  public RunnerPorts(Ports ports, AppendNotices notices, Bucket bucket, SecretVault vault) {
    this(ports, notices, ports.slots(), ports.queue(), bucket, vault);
  }
}
