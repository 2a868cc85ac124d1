package dev.runyard.core.log;

import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
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

  /// True while the cursor is beyond the head, as far as the last read saw.
  public boolean isAhead() {
    return !atChunkEnd;
  }

  /// The next events, at most what one read of the log returns; empty when there are none yet.
  public List<StoredEvent> next() {
    return read(log::chunksAfter);
  }

  /// The same for whoever asks again soon: it may miss, for a moment, what was just appended, and
  /// costs less.
  public List<StoredEvent> news() {
    return read((key, from) -> unbroken(log.newsAfter(key, from), from));
  }

  private interface Reading {
    List<Chunk> after(RunKey run, long sequence);
  }

  /// The chunks up to the first that may be missing.
  private static List<Chunk> unbroken(List<Chunk> chunks, long from) {
    List<Chunk> found = new ArrayList<>();
    long last = from;
    for (Chunk chunk : chunks) {
      if (chunk.first() != last + 1) {
        break;
      }
      found.add(chunk);
      last = chunk.last();
    }
    return found;
  }

  private List<StoredEvent> read(Reading reading) {
    if (closed) {
      return List.of();
    }
    List<Chunk> chunks = new ArrayList<>();
    long from = after;
    boolean aligned = atChunkEnd;
    if (!aligned) {
      Optional<Chunk> around = log.chunkAt(run, after + 1);
      around.ifPresent(chunks::add);
      aligned = around.isPresent() && around.get().last() >= after;
      from = around.map(Chunk::last).orElse(after);
    }
    if (aligned && chunks.stream().noneMatch(Chunk::closed)) {
      chunks.addAll(reading.after(run, from));
    }
    atChunkEnd = aligned;
    return take(chunks);
  }

  /// Moves the cursor behind the chunks: only here, once every read has answered, so that a failed
  /// read loses nothing.
  private List<StoredEvent> take(List<Chunk> chunks) {
    List<StoredEvent> events = new ArrayList<>();
    for (Chunk chunk : chunks) {
      chunk.events().stream().filter(event -> event.sequence() > after).forEach(events::add);
      closed |= chunk.closed();
      after = Math.max(after, chunk.last());
    }
    return events;
  }
}
