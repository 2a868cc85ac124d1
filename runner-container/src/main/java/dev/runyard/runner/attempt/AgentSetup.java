package dev.runyard.runner.attempt;

import dev.runyard.runner.backend.AgentGateway;
import dev.runyard.runner.log.RunnerLog;

/// What all agents of a runner have in common.
public record AgentSetup(
    AgentGateway gateway,
    AgentEnvironment environment,
    RunnerFolders folders,
    AttemptStores stores,
    BackendServices services,
    RunnerLog log) {
  /// The same for what waits until the bucket answers.
  AgentSetup awaiting(BucketPatience patience) {
    return new AgentSetup(gateway, environment, folders, stores.awaited(patience), services, log);
  }
}
