package dev.runyard.simulator;

import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.log.StreamLog;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Counts the events that a look at a run reads from its log: from where it begins to the first
/// read that is not full. However long a log is, without faults that is bounded for whoever does
/// not show all of it.
final class WorkMeter {
  /// Events of one chunk.
  private static final long CHUNK_EVENTS_MAX = 1_000;

  /// Without faults a snapshot is hardly further behind than the next one is ahead.
  private static final long EVENTS_MAX = StreamLog.SNAPSHOT_EVENTS + 2 * CHUNK_EVENTS_MAX;

  /// What looks that are not over have read.
  private final Map<SimulatedCaller, Map<StreamKey, Long>> looks = new HashMap<>();

  private long most;
  private String where = "nowhere";

  /// Counts what was read.
  List<Chunk> read(SimulatedCaller caller, StreamKey key, List<Chunk> chunks) {
    if (!caller.showsAll()) {
      Map<StreamKey, Long> reads = looks.computeIfAbsent(caller, _ -> new HashMap<>());
      long events = reads.merge(key, chunks.stream().mapToLong(Chunk::count).sum(), Long::sum);
      if (events > most) {
        most = events;
        where = key.partition();
      }
      if (chunks.size() < EventLog.READ_CHUNKS_MAX) {
        reads.remove(key);
      }
    }
    return chunks;
  }

  /// What is wrong with a history without faults.
  List<Violation> check() {
    return most <= EVENTS_MAX
        ? List.of()
        : List.of(
            new Violation(
                "work", "a look at %s read %d events, not %d".formatted(where, most, EVENTS_MAX)));
  }
}
