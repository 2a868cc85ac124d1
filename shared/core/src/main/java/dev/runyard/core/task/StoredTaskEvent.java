package dev.runyard.core.task;

import dev.runyard.core.event.Requester;
import dev.runyard.core.stream.StreamEvent;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// An event of a task with its place in the log.
///
/// @param by who asked for it; null if nobody did
public record StoredTaskEvent(
    TaskKey key,
    String sessionId,
    long sequence,
    Instant timestamp,
    TaskEvent event,
    @Nullable Requester by)
    implements StreamEvent {
  public StoredTaskEvent {
    Objects.requireNonNull(key);
    Objects.requireNonNull(sessionId);
    Objects.requireNonNull(timestamp);
    Objects.requireNonNull(event);
  }

  @Override
  public String type() {
    return TaskCodec.nameOf(event);
  }

  /// Whoever follows the log is told of each event: lists, runs and other tasks follow from them.
  @Override
  public boolean changesState() {
    return true;
  }
}
