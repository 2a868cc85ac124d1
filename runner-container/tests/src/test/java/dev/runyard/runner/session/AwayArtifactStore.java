package dev.runyard.runner.session;

import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.problem.PortUnavailable;
import java.util.Optional;

/// A store that never answers.
final class AwayArtifactStore implements ArtifactStore {
  @Override
  public void put(String key, byte[] content) {
    throw new PortUnavailable("away");
  }

  @Override
  public Optional<byte[]> get(String key) {
    throw new PortUnavailable("away");
  }

  @Override
  public Optional<Versioned> find(String key) {
    throw new PortUnavailable("away");
  }

  @Override
  public boolean replace(String key, Optional<String> version, byte[] content) {
    throw new PortUnavailable("away");
  }

  @Override
  public void delete(String key) {
    throw new PortUnavailable("away");
  }
}
