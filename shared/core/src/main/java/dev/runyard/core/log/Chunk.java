package dev.runyard.core.log;

import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// What is written to the log at once: consecutive events of one run, written once and never
/// changed.
///
/// @param id names this write: a writer that finds its own id at the place it wanted to write knows
///   that an earlier try of it was applied
/// @param writer who wrote it, for people
/// @param state the run's status and phase after the chunk, only when the chunk changes the state
/// @param closed true when the last event is terminal: nothing follows
public record Chunk(
    RunKey run,
    String id,
    String writer,
    List<StoredEvent> events,
    Optional<String> state,
    boolean closed) {
  /// Design bound of a stored chunk, after deflating.
  public static final int CHUNK_BYTES_MAX = 256 * 1024;

  public Chunk {
    Objects.requireNonNull(run);
    Objects.requireNonNull(id);
    Objects.requireNonNull(writer);
    Objects.requireNonNull(state);
    events = List.copyOf(events);
    if (events.isEmpty()) {
      throw new IllegalArgumentException("a chunk holds at least one event");
    }
    long expected = events.getFirst().sequence();
    for (StoredEvent event : events) {
      if (event.sequence() != expected++) {
        throw new IllegalArgumentException("events of a chunk are consecutive");
      }
    }
  }

  public long first() {
    return events.getFirst().sequence();
  }

  public long last() {
    return events.getLast().sequence();
  }
}
