package dev.runyard.runner.backend;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// What is remembered of an agent's output, by names that the agent chooses. It may choose as many
/// and as long ones as it likes, so both their number and their text together are bounded; the
/// oldest is forgotten first. Not thread-safe.
///
/// @param <V> what is remembered of a name
public final class Remembered<V> {
  /// Characters of names and values together, unless there is only one.
  public static final int REMEMBERED_CHARS_MAX = 4 * 1024 * 1024;

  /// Characters that each counts for besides its text.
  public static final int ENTRY_CHARS = 64;

  private final int entriesMax;
  private final ToLongFunction<V> chars;
  private final SequencedMap<String, Entry<V>> entries = new LinkedHashMap<>();
  private long held;

  private record Entry<T>(T value, long chars) {}

  /// @param entriesMax most names
  /// @param chars the characters that a value holds
  public Remembered(int entriesMax, ToLongFunction<V> chars) {
    this.entriesMax = entriesMax;
    this.chars = chars;
  }

  public boolean has(String name) {
    return entries.containsKey(name);
  }

  public @Nullable V get(String name) {
    Entry<V> entry = entries.get(name);
    return entry == null ? null : entry.value();
  }

  /// From the oldest to the newest.
  public List<V> values() {
    return entries.values().stream().map(Entry::value).toList();
  }

  /// Remembers a value in place of the one before. One that holds more or less text than when it
  /// was put is put again, which does not make it newer.
  public void put(String name, V value) {
    Entry<V> entry =
        new Entry<>(value, ENTRY_CHARS + name.length() + Math.max(0, chars.applyAsLong(value)));
    Entry<V> before = entries.put(name, entry);
    held += entry.chars() - (before == null ? 0 : before.chars());
    while (entries.size() > 1 && (entries.size() > entriesMax || held > REMEMBERED_CHARS_MAX)) {
      held -= entries.pollFirstEntry().getValue().chars();
    }
  }

  public void forget(String name) {
    Entry<V> entry = entries.remove(name);
    held -= entry == null ? 0 : entry.chars();
  }
}
