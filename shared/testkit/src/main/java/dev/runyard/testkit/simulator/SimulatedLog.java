package dev.runyard.testkit.simulator;

import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.log.AppendResult;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.EventLog;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/// The event log of a simulation: chunks as they were put, and the stream of changes they make. It
/// can be given two of the deliberate defects.
final class SimulatedLog implements EventLog {
  private static final int STALE_LOOK = 3;

  private final Map<StreamKey, NavigableMap<Long, Chunk>> streams = new HashMap<>();
  private final List<Chunk> changes = new ArrayList<>();
  private final Defect defect;
  private long collisions;
  private long looks;

  SimulatedLog(Defect defect) {
    this.defect = defect;
  }

  @Override
  public AppendResult append(Chunk chunk) {
    NavigableMap<Long, Chunk> stream = streams.computeIfAbsent(chunk.key(), _ -> new TreeMap<>());
    Chunk there = stream.get(chunk.first());
    if (there != null && defect != Defect.PUT_WITHOUT_CONDITION) {
      collisions++;
      return there.id().equals(chunk.id()) ? AppendResult.appended() : AppendResult.collision();
    }
    put(stream, chunk);
    if (chunk.closed() && defect == Defect.TERMINAL_WRITTEN_TWICE) {
      put(stream, Chunks.moved(chunk, chunk.last() + 1));
    }
    return AppendResult.appended();
  }

  private void put(NavigableMap<Long, Chunk> stream, Chunk chunk) {
    stream.put(chunk.first(), chunk);
    changes.add(chunk);
  }

  @Override
  public List<Chunk> chunksAfter(StreamKey key, long sequence) {
    return chunks(key).tailMap(sequence, false).values().stream().limit(READ_CHUNKS_MAX).toList();
  }

  /// Every third look is stale.
  @Override
  public boolean hasNews(StreamKey key, long sequence) {
    return ++looks % STALE_LOOK != 0 && !chunks(key).tailMap(sequence, false).isEmpty();
  }

  @Override
  public Optional<Chunk> chunkAt(StreamKey key, long sequence) {
    return Optional.ofNullable(chunks(key).floorEntry(sequence)).map(Map.Entry::getValue);
  }

  private NavigableMap<Long, Chunk> chunks(StreamKey key) {
    return streams.getOrDefault(key, new TreeMap<>());
  }

  Collection<RunKey> runs() {
    return streams.keySet().stream().map(RunKey::of).toList();
  }

  List<Chunk> all(RunKey run) {
    return List.copyOf(chunks(run).values());
  }

  List<StoredEvent> events(RunKey run) {
    return chunks(run).values().stream()
        .flatMap(chunk -> chunk.events(EventCodec.RUNS).stream())
        .toList();
  }

  List<Chunk> changes() {
    return changes;
  }

  long collisions() {
    return collisions;
  }
}
