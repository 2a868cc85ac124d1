package dev.runyard.embedded;

import dev.runyard.core.log.Chunk;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// The chunks appended last, as their writers made them: who follows a run, and the functions that
/// fold it, read what was just written and would each decode it again. What is in the log the file
/// alone says; a chunk from here only stands for the bytes of a row that was read. Thread-safe.
final class RecentChunks {
  /// JSON of the chunks that are kept; their events take about half of that.
  static final int BYTES_MAX = 8 * 1024 * 1024;

  private final Map<Place, Chunk> chunks = new LinkedHashMap<>();
  private long bytes;

  private record Place(String partition, long first, String id) {
    static Place of(Chunk chunk) {
      return new Place(chunk.key().partition(), chunk.first(), chunk.id());
    }
  }

  /// Keeps a chunk that is about to be written; false when one with its id is kept already, or its
  /// size is not known.
  synchronized boolean add(Chunk chunk) {
    if (chunk.body().lineBytes() == 0 || chunks.putIfAbsent(Place.of(chunk), chunk) != null) {
      return false;
    }
    bytes += chunk.body().lineBytes();
    while (bytes > BYTES_MAX) {
      forget(chunks.keySet().iterator().next());
    }
    return true;
  }

  /// Forgets a chunk that was not written.
  synchronized void remove(Chunk chunk) {
    forget(Place.of(chunk));
  }

  private void forget(Place place) {
    Chunk chunk = chunks.remove(place);
    if (chunk != null) {
      bytes -= chunk.body().lineBytes();
    }
  }

  /// The chunk of a row, if it is kept.
  synchronized Optional<Chunk> find(String partition, long first, String id) {
    return Optional.ofNullable(chunks.get(new Place(partition, first, id)));
  }
}
