package dev.runyard.simulator;

import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.ChunkBody;
import java.util.ArrayList;
import java.util.List;

/// Copies of chunks in another place, for defects.
final class Chunks {
  private Chunks() {}

  /// Says the same, and is another.
  static Chunk exchanged(Chunk chunk) {
    return new Chunk(
        chunk.key(),
        chunk.id() + "-other",
        chunk.writer(),
        chunk.body(),
        chunk.state(),
        chunk.closed(),
        chunk.previous());
  }

  static Chunk moved(Chunk chunk, long first) {
    List<StoredEvent> events = new ArrayList<>();
    long sequence = first;
    for (StoredEvent event : chunk.events(EventCodec.RUNS)) {
      events.add(
          new StoredEvent(
              event.run(),
              event.turn(),
              event.attemptId(),
              sequence++,
              event.timestamp(),
              event.event(),
              event.by()));
    }
    return new Chunk(
        chunk.key(),
        chunk.id() + "-again",
        chunk.writer(),
        ChunkBody.of(EventCodec.RUNS, events),
        chunk.state(),
        chunk.closed());
  }
}
