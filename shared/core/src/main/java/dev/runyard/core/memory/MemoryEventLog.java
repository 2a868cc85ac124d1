package dev.runyard.core.memory;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.AppendResult;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.ChunkBody;
import dev.runyard.core.log.EventLog;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/// The event log in memory. It keeps the stored bytes of a chunk, not the chunk, so that whatever
/// is read has been through [ChunkBody]. Like the table it stands for it looks only at the place a
/// chunk begins at: gaps and appends behind a terminal event are the caller's mistakes.
public final class MemoryEventLog implements EventLog {
  private final Map<RunKey, NavigableMap<Long, Item>> runs = new LinkedHashMap<>();
  private final List<Change> changes = new ArrayList<>();

  @Override
  public synchronized AppendResult append(Chunk chunk) {
    NavigableMap<Long, Item> items = runs.computeIfAbsent(chunk.run(), _ -> new TreeMap<>());
    Item there = items.get(chunk.first());
    if (there != null) {
      return there.id.equals(chunk.id()) ? AppendResult.appended() : AppendResult.collision();
    }
    items.put(chunk.first(), new Item(chunk));
    changes.add(
        new Change(
            changes.size() + 1L,
            chunk.run(),
            chunk.first(),
            chunk.last(),
            chunk.state(),
            chunk.closed()));
    return AppendResult.appended();
  }

  @Override
  public synchronized List<Chunk> chunksAfter(RunKey run, long sequence) {
    return items(run).tailMap(sequence, false).values().stream()
        .limit(READ_CHUNKS_MAX)
        .map(item -> item.chunk(run))
        .toList();
  }

  @Override
  public synchronized Optional<Chunk> chunkAt(RunKey run, long sequence) {
    return Optional.ofNullable(items(run).floorEntry(sequence))
        .map(entry -> entry.getValue().chunk(run));
  }

  /// Every append after the first `position` ones, of all runs, in the order they were made: the
  /// table's stream. Position 0 is the beginning.
  public synchronized List<Change> changes(long position) {
    return List.copyOf(changes.subList(Math.toIntExact(position), changes.size()));
  }

  /// Runs that have at least one chunk, in the order of their first append.
  public synchronized List<RunKey> runs() {
    return List.copyOf(runs.keySet());
  }

  private NavigableMap<Long, Item> items(RunKey run) {
    return runs.getOrDefault(run, new TreeMap<>());
  }

  /// One append, as a stream record shows it.
  ///
  /// @param position of this change, counted from 1
  /// @param state present only when the chunk changed the run's state
  public record Change(
      long position, RunKey run, long first, long last, Optional<String> state, boolean closed) {}

  private static final class Item {
    private final String id;
    private final String writer;
    private final byte[] body;
    private final Optional<String> state;
    private final boolean closed;

    private Item(Chunk chunk) {
      this.id = chunk.id();
      this.writer = chunk.writer();
      this.body = ChunkBody.encode(chunk.events());
      this.state = chunk.state();
      this.closed = chunk.closed();
    }

    private Chunk chunk(RunKey run) {
      return new Chunk(run, id, writer, ChunkBody.decode(run, body), state, closed);
    }
  }
}
