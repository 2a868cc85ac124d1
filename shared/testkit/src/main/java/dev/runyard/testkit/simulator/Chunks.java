package dev.runyard.testkit.simulator;

import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.log.Chunk;
import java.util.ArrayList;
import java.util.List;

/// Copies of chunks in another place, for defects.
final class Chunks {
  private Chunks() {}

  static Chunk moved(Chunk chunk, long first) {
    List<StoredEvent> events = new ArrayList<>();
    long sequence = first;
    for (StoredEvent event : chunk.events()) {
      events.add(
          new StoredEvent(
              event.run(),
              event.sessionId(),
              event.attemptId(),
              sequence++,
              event.timestamp(),
              event.event()));
    }
    return new Chunk(
        chunk.run(), chunk.id() + "-again", chunk.writer(), events, chunk.state(), chunk.closed());
  }
}
