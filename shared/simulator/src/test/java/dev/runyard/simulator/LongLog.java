package dev.runyard.simulator;

import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.log.AppendResult;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.ChunkBody;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.request.RunRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The log of one long run that takes little memory: of a chunk that is only output it keeps the
/// place, and creates its events again when they are read. It counts what is read.
final class LongLog implements EventLog {
  static final RunEvent TALK = new RunEvent.ModelDelta("x");

  private final NavigableMap<Long, Kept> chunks = new TreeMap<>();
  private Runnable reading = () -> {};
  private long read;

  /// A request for a run that says much, and may be tried twice.
  static RunRequest request(RunKey run, Map<String, String> env) {
    return new RunRequest(
        "echo",
        "say much",
        run.runId(),
        Map.of(),
        List.of(),
        null,
        3600,
        env,
        Map.of(),
        new RetryPolicy(2, List.of("*"), 0));
  }

  /// From now on this happens at each read of several chunks.
  void reading(Runnable what) {
    reading = what;
  }

  /// Events read since this was last asked.
  long read() {
    long count = read;
    read = 0;
    return count;
  }

  @Override
  public AppendResult append(Chunk chunk) {
    if (chunks.containsKey(chunk.first())) {
      return AppendResult.collision();
    }
    List<StoredEvent> events = chunk.events(EventCodec.RUNS);
    boolean talk = events.stream().allMatch(stored -> stored.event().equals(TALK));
    chunks.put(
        chunk.first(),
        new Kept(chunk.first(), chunk.last(), events.getFirst().timestamp(), talk ? null : chunk));
    return AppendResult.appended();
  }

  @Override
  public List<Chunk> chunksAfter(StreamKey key, long sequence) {
    reading.run();
    return chunks.tailMap(sequence, false).values().stream()
        .limit(READ_CHUNKS_MAX)
        .map(kept -> counted(RunKey.of(key), kept))
        .toList();
  }

  @Override
  public Optional<Chunk> chunkAt(StreamKey key, long sequence) {
    return Optional.ofNullable(chunks.floorEntry(sequence))
        .map(entry -> counted(RunKey.of(key), entry.getValue()));
  }

  private Chunk counted(RunKey run, Kept kept) {
    read += kept.last() - kept.first() + 1;
    Chunk whole = kept.whole();
    if (whole != null) {
      return whole;
    }
    List<StoredEvent> events = new ArrayList<>();
    for (long at = kept.first(); at <= kept.last(); at++) {
      events.add(new StoredEvent(run, run.runId(), "attempt-1", at, kept.at(), TALK));
    }
    ChunkBody body = ChunkBody.of(EventCodec.RUNS, events);
    return new Chunk(run, "chunk-" + kept.first(), "runner", body, Optional.empty(), false);
  }

  private record Kept(long first, long last, Instant at, @Nullable Chunk whole) {}
}
