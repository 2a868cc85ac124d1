package dev.runyard.core.memory;

import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.artifact.LargeObjects;
import dev.runyard.core.ids.Digest;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/// Large objects of an artifact store in memory. An address counts up and is of use to no server.
public final class MemoryLargeObjects implements LargeObjects {
  private final ArtifactStore store;
  private final InstantSource clock;
  private final Map<String, Opened> opened = new HashMap<>();

  private record Opened(String key, Label label, Instant until) {}

  /// What a client gets.
  @SuppressWarnings("ArrayRecordComponent")
  public record Got(Label label, byte[] content) {}

  public MemoryLargeObjects(ArtifactStore store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
  }

  @Override
  public void put(String key, Content content) throws IOException {
    ArtifactStore.checked(key);
    try (InputStream in = content.open()) {
      byte[] bytes = in.readAllBytes();
      if (bytes.length != content.bytes()
          || !HexFormat.of().formatHex(Digest.of(bytes)).equals(content.sha256())) {
        throw new IOException("the content is not what it says");
      }
      store.put(key, bytes);
    }
  }

  @Override
  public boolean holds(String key) {
    return store.get(key).isPresent();
  }

  @Override
  public synchronized String address(String key, Label label, Instant until) {
    String url = "/get/" + opened.size();
    opened.put(url, new Opened(ArtifactStore.checked(key), label, until));
    return url;
  }

  /// What is at an address; empty if nothing is, or no longer.
  public synchronized Optional<Got> get(String url) {
    return Optional.ofNullable(opened.get(url))
        .filter(there -> clock.instant().isBefore(there.until()))
        .flatMap(there -> store.get(there.key()).map(content -> new Got(there.label(), content)));
  }
}
