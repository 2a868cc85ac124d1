package dev.runyard.core.thread;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A fact about a thread. Each record is the payload of one type of the Agent Runtime standard.
/// Members are only ever added.
@JsonInclude(JsonInclude.Include.NON_NULL)
public sealed interface ThreadEvent {
  String STARTED = "thread.started";
  String QUEUE_CHANGED = "queue.changed";

  /// The thread belongs to its session from now on.
  record ThreadStarted() implements ThreadEvent {}

  /// The whole order of the turns that have not ended: the one whose turn it is first.
  ///
  /// @param turnId which turn made the difference, if it was one
  record QueueChanged(QueueChange change, @Nullable String turnId, List<QueuedTurn> turns)
      implements ThreadEvent {
    public QueueChanged {
      turns = List.copyOf(turns);
    }
  }

  /// An event of another type, kept as it is: newer writers may know more types.
  record Other(String type, JsonNode payload) implements ThreadEvent {}
}
