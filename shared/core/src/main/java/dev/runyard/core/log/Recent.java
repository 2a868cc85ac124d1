package dev.runyard.core.log;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// What this process knows of the streams it saw last: a map that forgets the entry nobody asked
/// for longest.
public final class Recent<K, V> {
  /// Entries remembered; one may hold a run's two texts of 64 KiB.
  public static final int ENTRIES_MAX = 64;

  private final Map<K, V> entries;

  public Recent() {
    this(ENTRIES_MAX);
  }

  /// @param entriesMax how many are remembered, of values that are small
  public Recent(int entriesMax) {
    this.entries =
        new LinkedHashMap<>(16, 0.75f, true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > entriesMax;
          }
        };
  }

  public Optional<V> get(K key) {
    synchronized (entries) {
      return Optional.ofNullable(entries.get(key));
    }
  }

  public void put(K key, V value) {
    synchronized (entries) {
      entries.put(key, value);
    }
  }
}
