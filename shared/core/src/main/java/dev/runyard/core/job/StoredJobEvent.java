package dev.runyard.core.job;

import dev.runyard.core.event.Requester;
import dev.runyard.core.stream.StreamEvent;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// An event of a job with its place in the log.
///
/// @param by who asked for it; null if nobody did
public record StoredJobEvent(
    JobKey key,
    String sessionId,
    long sequence,
    Instant timestamp,
    JobEvent event,
    @Nullable Requester by)
    implements StreamEvent {
  public StoredJobEvent {
    Objects.requireNonNull(key);
    Objects.requireNonNull(sessionId);
    Objects.requireNonNull(timestamp);
    Objects.requireNonNull(event);
  }

  @Override
  public String type() {
    return JobCodec.nameOf(event);
  }

  /// Whoever follows the log is told of each event: rows of items and runs follow from them.
  @Override
  public boolean changesState() {
    return true;
  }
}
