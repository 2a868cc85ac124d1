package dev.runyard.runner.attempt;

import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.artifact.PausedWorkspaces;
import dev.runyard.core.artifact.SessionSnapshots;

/// What attempts store in the bucket, for later attempts and for people.
///
/// @param sessions the session files of agents
/// @param paused the workspaces of agents that wait for a person
/// @param artifacts outputs that are too large for an event
public record AttemptStores(
    SessionSnapshots sessions, PausedWorkspaces paused, ArtifactStore artifacts) {
  /// All of them in one bucket.
  public static AttemptStores in(ArtifactStore artifacts) {
    return new AttemptStores(
        new SessionSnapshots(
            artifacts, task -> Thread.ofPlatform().daemon().name("session-state").start(task)),
        new PausedWorkspaces(artifacts),
        artifacts);
  }
}
