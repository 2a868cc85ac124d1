package dev.runyard.core.memory;

import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.log.AppendResult;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.ChunkBody;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.stream.ChunkHash;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/// The event log in memory. It keeps the stored bytes of a chunk, not the chunk, so that everything
/// read has been through its codec. Like the real table it checks only the place at which a chunk
/// begins: gaps and appends after a terminal event are the caller's mistakes.
public final class MemoryEventLog implements EventLog {
  private final Map<StreamKey, NavigableMap<Long, Item>> streams = new LinkedHashMap<>();
  private final List<Change> changes = new ArrayList<>();

  @Override
  public synchronized AppendResult append(Chunk chunk) {
    NavigableMap<Long, Item> items = streams.computeIfAbsent(chunk.key(), _ -> new TreeMap<>());
    Item there = items.get(chunk.first());
    if (there != null) {
      return there.id.equals(chunk.id()) ? AppendResult.appended() : AppendResult.collision();
    }
    items.put(chunk.first(), new Item(chunk));
    changes.add(
        new Change(
            changes.size() + 1L,
            chunk.key(),
            chunk.first(),
            chunk.last(),
            chunk.state(),
            chunk.closed()));
    return AppendResult.appended();
  }

  @Override
  public synchronized List<Chunk> chunksAfter(StreamKey key, long sequence) {
    return items(key).tailMap(sequence, false).entrySet().stream()
        .limit(READ_CHUNKS_MAX)
        .map(entry -> entry.getValue().chunk(key, entry.getKey()))
        .toList();
  }

  @Override
  public synchronized Optional<Chunk> chunkAt(StreamKey key, long sequence) {
    return Optional.ofNullable(items(key).floorEntry(sequence))
        .map(entry -> entry.getValue().chunk(key, entry.getKey()));
  }

  /// Every append after the first `position` ones, of all streams, in the order they were made: the
  /// table's stream. Position 0 is the beginning.
  public synchronized List<Change> changes(long position) {
    return List.copyOf(changes.subList(Math.toIntExact(position), changes.size()));
  }

  /// Removes the chunks that begin before `sequence`, as a store does with what it has kept for
  /// long enough.
  public synchronized void expire(StreamKey key, long sequence) {
    items(key).headMap(sequence, false).clear();
  }

  /// Streams that have at least one chunk, in the order of their first append.
  public synchronized List<StreamKey> streams() {
    return List.copyOf(streams.keySet());
  }

  private NavigableMap<Long, Item> items(StreamKey key) {
    return streams.getOrDefault(key, new TreeMap<>());
  }

  /// One append, as a stream record shows it.
  ///
  /// @param position of this change, counted from 1
  /// @param state present only when the chunk changed the state
  public record Change(
      long position,
      StreamKey key,
      long first,
      long last,
      Optional<String> state,
      boolean closed) {}

  private static final class Item {
    private final long last;
    private final String id;
    private final String writer;
    private final byte[] body;
    private final Optional<String> state;
    private final boolean closed;
    private final Optional<ChunkHash> previous;

    private Item(Chunk chunk) {
      this.last = chunk.last();
      this.id = chunk.id();
      this.writer = chunk.writer();
      this.body = chunk.body().bytes();
      this.state = chunk.state();
      this.closed = chunk.closed();
      this.previous = chunk.previous();
    }

    private Chunk chunk(StreamKey key, long first) {
      return new Chunk(
          key, id, writer, ChunkBody.stored(first, last, body), state, closed, previous);
    }
  }
}
