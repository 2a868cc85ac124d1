package dev.runyard.core.log;

import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.run.RunKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Reads a run's events in order from any sequence on. A cursor is the sequence of the last event
/// seen, so a reader that comes back with it gets each later event exactly once. A cursor beyond
/// the head waits for the head to pass it. Not thread-safe.
public final class EventCursor {
  private final EventLog log;
  private final RunKey run;
  private long after;
  private boolean atChunkEnd;
  private boolean closed;

  public EventCursor(EventLog log, RunKey run, long after) {
    this.log = log;
    this.run = run;
    this.after = after;
    this.atChunkEnd = after == 0;
  }

  public long after() {
    return after;
  }

  /// True once the terminal event was read.
  public boolean closed() {
    return closed;
  }

  /// The next events, at most what one read of the log returns; empty when there are none yet.
  public List<StoredEvent> next() {
    if (closed) {
      return List.of();
    }
    List<StoredEvent> events = new ArrayList<>();
    if (!atChunkEnd) {
      Optional<Chunk> around = log.chunkAt(run, after + 1);
      atChunkEnd = around.isPresent() && around.get().last() >= after;
      around.ifPresent(chunk -> take(chunk, events));
      if (!atChunkEnd || closed) {
        return events;
      }
    }
    for (Chunk chunk : log.chunksAfter(run, after)) {
      take(chunk, events);
    }
    return events;
  }

  private void take(Chunk chunk, List<StoredEvent> events) {
    for (StoredEvent event : chunk.events()) {
      if (event.sequence() > after) {
        events.add(event);
      }
    }
    closed |= chunk.closed();
    after = Math.max(after, chunk.last());
  }
}
