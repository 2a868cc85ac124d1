package dev.runyard.testkit.contract;

import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.memory.MemoryArtifactStore;
import dev.runyard.core.memory.MemoryUploadPlaces;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.upload.UploadPlaces;
import java.time.Instant;

class MemoryUploadPlacesTest extends UploadPlacesContract {
  private final SettableClock clock = new SettableClock(Instant.parse("2026-03-01T12:00:00Z"));
  private final MemoryArtifactStore store = new MemoryArtifactStore();
  private final MemoryUploadPlaces places = new MemoryUploadPlaces(store, clock);

  @Override
  protected UploadPlaces places() {
    return places;
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
  protected boolean put(UploadPlaces.Place place, byte[] content) {
    return places.put(place.url(), content);
  }
}
