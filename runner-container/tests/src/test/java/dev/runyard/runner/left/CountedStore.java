package dev.runyard.runner.left;

import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.memory.MemoryArtifactStore;
import dev.runyard.core.problem.PortUnavailable;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// A store whose caller dies after some calls, or never learns what became of them.
final class CountedStore implements ArtifactStore {
  private final MemoryArtifactStore store;
  private final Set<String> written = new TreeSet<>();
  private int calls;
  private int left = Integer.MAX_VALUE;
  private boolean lost;
  private Runnable onPut = () -> {};

  CountedStore(MemoryArtifactStore store) {
    this.store = store;
  }

  /// The keys that were written since the last call.
  Set<String> written() {
    Set<String> keys = new TreeSet<>(written);
    written.clear();
    return keys;
  }

  int calls() {
    return calls;
  }

  /// From now on only so many calls are made.
  void dieAfter(int more) {
    left = more;
    lost = false;
  }

  /// From now on what is written is there, and nobody is told.
  void loseAnswers() {
    lost = true;
  }

  /// From now on this happens while something is put.
  void onPut(Runnable happening) {
    onPut = happening;
  }

  void removeAll(Predicate<String> keys) {
    store.keys().stream().filter(keys).forEach(store::delete);
  }

  Set<String> keys() {
    return store.keys();
  }

  @Override
  public void put(String key, byte[] content) {
    written.add(key);
    onPut.run();
    written(
        () -> {
          store.put(key, content);
          return true;
        });
  }

  @Override
  public Optional<byte[]> get(String key) {
    return counted(() -> store.get(key));
  }

  @Override
  public Optional<Versioned> find(String key) {
    return counted(() -> store.find(key));
  }

  @Override
  public boolean replace(String key, Optional<String> version, byte[] content) {
    written.add(key);
    return written(() -> store.replace(key, version, content));
  }

  @Override
  public void delete(String key) {
    counted(
        () -> {
          store.delete(key);
          return true;
        });
  }

  private <T> T written(Supplier<T> call) {
    T result = counted(call);
    if (lost) {
      throw new PortUnavailable("the answer was lost");
    }
    return result;
  }

  private <T> T counted(Supplier<T> call) {
    if (left == 0) {
      throw new PortUnavailable("the caller is dead");
    }
    left--;
    calls++;
    return call.get();
  }
}
