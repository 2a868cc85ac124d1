package dev.runyard.runner.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.SnapshotUpdated;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.problem.Failure;
import dev.runyard.runner.RunnerRig;
import dev.runyard.runner.publish.Publishing;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What an agent left, with a bucket that takes it slowly.
final class SlowClosingTest {
  @TempDir private Path directory;

  private final SettableClock clock = new SettableClock(Instant.parse("2026-03-01T12:00:00Z"));

  @Test
  void isStoredAndNotPublishedAndMayBeLater() throws Exception {
    RunnerRig runner = new RunnerRig(PublishRig.work(directory), clock);
    SlowStore store = new SlowStore(runner.artifacts);
    try (PublishRig rig = new PublishRig(directory, PublishRig.Kind.GITHUB, runner, store)) {
      RunKey run = rig.ran("echo 2 > b", PublishRig.branch("fix/b"));

      assertEquals(Failure.PUBLISH_FAILED, rig.code(run));
      assertEquals("", rig.tip("fix/b"));
      assertEquals(1, rig.events(run, SnapshotUpdated.class).size());
      assertEquals(1, rig.events(run, RunEvent.AttemptCompleted.class).size());

      rig.published(run, PublishRig.branch("fix/b"));

      assertEquals("", rig.code(run));
    }
  }

  /// Takes as long for a patch as publishing may last.
  private final class SlowStore implements ArtifactStore {
    private final ArtifactStore store;

    SlowStore(ArtifactStore store) {
      this.store = store;
    }

    @Override
    public void put(String key, byte[] content) {
      if (key.endsWith("/patch")) {
        clock.advance(Duration.ofSeconds(Publishing.PUBLISHED_SECONDS_MAX));
      }
      store.put(key, content);
    }

    @Override
    public Optional<byte[]> get(String key) {
      return store.get(key);
    }

    @Override
    public Optional<Versioned> find(String key) {
      return store.find(key);
    }

    @Override
    public boolean replace(String key, Optional<String> version, byte[] content) {
      return store.replace(key, version, content);
    }

    @Override
    public void delete(String key) {
      store.delete(key);
    }
  }
}
