package dev.runyard.testkit.simulator;

import dev.runyard.core.ids.RunKey;
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

  private final Map<RunKey, NavigableMap<Long, Chunk>> runs = new HashMap<>();
  private final List<Chunk> changes = new ArrayList<>();
  private final Defect defect;
  private long collisions;
  private long looks;

  SimulatedLog(Defect defect) {
    this.defect = defect;
  }

  @Override
  public AppendResult append(Chunk chunk) {
    NavigableMap<Long, Chunk> run = runs.computeIfAbsent(chunk.run(), _ -> new TreeMap<>());
    Chunk there = run.get(chunk.first());
    if (there != null && defect != Defect.PUT_WITHOUT_CONDITION) {
      collisions++;
      return there.id().equals(chunk.id()) ? AppendResult.appended() : AppendResult.collision();
    }
    put(run, chunk);
    if (chunk.closed() && defect == Defect.TERMINAL_WRITTEN_TWICE) {
      put(run, Chunks.moved(chunk, chunk.last() + 1));
    }
    return AppendResult.appended();
  }

  private void put(NavigableMap<Long, Chunk> run, Chunk chunk) {
    run.put(chunk.first(), chunk);
    changes.add(chunk);
  }

  @Override
  public List<Chunk> chunksAfter(RunKey run, long sequence) {
    return chunks(run).tailMap(sequence, false).values().stream().limit(READ_CHUNKS_MAX).toList();
  }

  /// Every third look is stale.
  @Override
  public boolean hasNews(RunKey run, long sequence) {
    return ++looks % STALE_LOOK != 0 && !chunks(run).tailMap(sequence, false).isEmpty();
  }

  @Override
  public Optional<Chunk> chunkAt(RunKey run, long sequence) {
    return Optional.ofNullable(chunks(run).floorEntry(sequence)).map(Map.Entry::getValue);
  }

  private NavigableMap<Long, Chunk> chunks(RunKey run) {
    return runs.getOrDefault(run, new TreeMap<>());
  }

  Collection<RunKey> runs() {
    return List.copyOf(runs.keySet());
  }

  List<Chunk> all(RunKey run) {
    return List.copyOf(chunks(run).values());
  }

  List<Chunk> changes() {
    return changes;
  }

  long collisions() {
    return collisions;
  }
}
