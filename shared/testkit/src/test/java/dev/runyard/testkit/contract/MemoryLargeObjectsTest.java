package dev.runyard.testkit.contract;

import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.artifact.Attachment;
import dev.runyard.core.artifact.LargeObjects;
import dev.runyard.core.memory.MemoryArtifactStore;
import dev.runyard.core.memory.MemoryLargeObjects;
import dev.runyard.core.memory.SettableClock;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;

class MemoryLargeObjectsTest extends LargeObjectsContract {
  private final SettableClock clock = new SettableClock(Instant.parse("2026-03-01T12:00:00Z"));
  private final MemoryArtifactStore store = new MemoryArtifactStore();
  private final MemoryLargeObjects objects = new MemoryLargeObjects(store, clock);

  @Override
  protected LargeObjects objects() {
    return objects;
  }

  @Override
  protected ArtifactStore store() {
    return store;
  }

  @Override
  protected Instant now() {
    return clock.instant();
  }

  @Override
  protected Got get(String address, String range) {
    return objects
        .get(address)
        .map(
            found ->
                new Got(
                    Optional.of(
                        Arrays.copyOfRange(
                            found.content(),
                            (int) from(range, found.content().length),
                            (int) to(range, found.content().length))),
                    found.label().contentType(),
                    Attachment.named(found.label().name())))
        .orElse(Got.NOTHING);
  }
}
