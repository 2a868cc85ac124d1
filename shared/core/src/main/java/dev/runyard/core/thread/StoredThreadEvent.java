package dev.runyard.core.thread;

import dev.runyard.core.event.Requester;
import dev.runyard.core.stream.StreamEvent;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// An event of a thread with its place in the log.
///
/// @param by who asked for it; null if nobody in particular did
public record StoredThreadEvent(
    ThreadKey key,
    String sessionId,
    long sequence,
    Instant timestamp,
    ThreadEvent event,
    @Nullable Requester by)
    implements StreamEvent {
  @Override
  public String type() {
    return switch (event) {
      case ThreadEvent.ThreadStarted _ -> ThreadEvent.STARTED;
      case ThreadEvent.QueueChanged _ -> ThreadEvent.QUEUE_CHANGED;
      case ThreadEvent.RollbackStarted _ -> ThreadEvent.ROLLBACK_STARTED;
      case ThreadEvent.RollbackCompleted _ -> ThreadEvent.ROLLBACK_COMPLETED;
      case ThreadEvent.Reconstructed _ -> ThreadEvent.RECONSTRUCTED;
      case ThreadEvent.Other other -> other.type();
    };
  }

  /// True when nothing before it matters for the order.
  boolean hasOrder() {
    return event instanceof ThreadEvent.QueueChanged || event instanceof ThreadEvent.Based;
  }

  /// Nobody needs to hear of a thread: whoever changes its order does what follows from it, and
  /// what is lost then is made good for the runs.
  @Override
  public boolean changesState() {
    return false;
  }
}
