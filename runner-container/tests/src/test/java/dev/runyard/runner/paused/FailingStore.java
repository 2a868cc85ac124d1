package dev.runyard.runner.paused;

import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.problem.PortUnavailable;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/// A store that does not answer for some keys, and knows which it was given.
public final class FailingStore implements ArtifactStore {
  private final ArtifactStore store;
  private final AtomicInteger failures = new AtomicInteger();
  private final Set<String> put = ConcurrentHashMap.newKeySet();
  private volatile Predicate<String> failing = _ -> false;

  public FailingStore(ArtifactStore store) {
    this.store = store;
  }

  /// Calls for such keys fail from now on.
  public void fail(Predicate<String> keys) {
    failing = keys;
  }

  /// Calls that failed.
  public int failures() {
    return failures.get();
  }

  /// The keys that were put since the last call.
  public Set<String> put() {
    Set<String> keys = new TreeSet<>(put);
    put.removeAll(keys);
    return keys;
  }

  @Override
  public void put(String key, byte[] content) {
    check(key);
    put.add(key);
    store.put(key, content);
  }

  @Override
  public Optional<byte[]> get(String key) {
    check(key);
    return store.get(key);
  }

  @Override
  public Optional<Versioned> find(String key) {
    check(key);
    return store.find(key);
  }

  @Override
  public boolean replace(String key, Optional<String> version, byte[] content) {
    check(key);
    put.add(key);
    return store.replace(key, version, content);
  }

  @Override
  public void delete(String key) {
    check(key);
    store.delete(key);
  }

  private void check(String key) {
    if (failing.test(key)) {
      failures.incrementAndGet();
      throw new PortUnavailable("the store does not answer");
    }
  }
}
