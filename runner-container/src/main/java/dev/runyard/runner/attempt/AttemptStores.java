package dev.runyard.runner.attempt;

import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.artifact.AwaitedStore;
import dev.runyard.core.artifact.Bucket;
import dev.runyard.core.artifact.KeptLedger;
import dev.runyard.core.artifact.LargeObjects;
import dev.runyard.core.artifact.PausedWorkspaces;
import dev.runyard.core.artifact.SessionSnapshots;
import dev.runyard.core.quota.Quotas;
import dev.runyard.core.thread.ThreadKey;
import dev.runyard.core.thread.ThreadOrigin;
import java.time.InstantSource;
import java.util.function.Function;

/// What attempts store in the bucket, for later attempts and for people.
///
/// @param sessions the session files of agents
/// @param paused the workspaces of agents that wait for a person
/// @param artifacts outputs that are too large for an event
/// @param large files that are too large for memory
/// @param quotas how much tenants may store
/// @param bases what threads go on from
public record AttemptStores(
    SessionSnapshots sessions,
    PausedWorkspaces paused,
    ArtifactStore artifacts,
    LargeObjects large,
    Quotas quotas,
    Function<ThreadKey, ThreadOrigin> bases) {
  /// All of them in one bucket.
  public static AttemptStores in(
      Bucket bucket, Quotas quotas, Function<ThreadKey, ThreadOrigin> bases) {
    return in(bucket.store(), bucket.large(), quotas, bases);
  }

  private static AttemptStores in(
      ArtifactStore artifacts,
      LargeObjects large,
      Quotas quotas,
      Function<ThreadKey, ThreadOrigin> bases) {
    return new AttemptStores(
        new SessionSnapshots(
            artifacts, task -> Thread.ofPlatform().daemon().name("session-state").start(task)),
        new PausedWorkspaces(artifacts),
        artifacts,
        large,
        quotas,
        bases);
  }

  /// The same, waited for while they do not answer. Large files are only stored, which no agent
  /// waits for.
  AttemptStores awaited(AwaitedStore.Patience patience) {
    return in(
        new AwaitedStore(artifacts, patience),
        large,
        quotas,
        thread -> patience.answer(() -> bases.apply(thread)));
  }

  /// Counts what runs leave.
  KeptLedger kept(InstantSource clock) {
    return new KeptLedger(artifacts, quotas, clock);
  }
}
