package dev.runyard.runner.attempt;

import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.runner.paused.PausedWorkspaces;
import dev.runyard.runner.session.SessionSnapshots;

/// What attempts leave in the bucket, for the next ones and for people.
///
/// @param sessions what agents remember of sessions
/// @param paused what agents worked on that wait for a person
/// @param artifacts where outputs are kept that no event has room for
public record AttemptStores(
    SessionSnapshots sessions, PausedWorkspaces paused, ArtifactStore artifacts) {
  /// All of them in one bucket.
  public static AttemptStores in(ArtifactStore artifacts) {
    return new AttemptStores(
        new SessionSnapshots(artifacts), new PausedWorkspaces(artifacts), artifacts);
  }
}
