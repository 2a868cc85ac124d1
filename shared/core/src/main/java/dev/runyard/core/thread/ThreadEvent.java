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
  String ROLLBACK_STARTED = "history.rollback.started";
  String ROLLBACK_COMPLETED = "history.rollback.completed";
  String RECONSTRUCTED = "history.reconstructed";

  /// The thread belongs to its session from now on.
  record ThreadStarted() implements ThreadEvent {}

  /// The whole order of the turns that have not ended: the one whose turn it is first.
  ///
  /// @param turnId which turn made the difference, if it was one
  /// @param base the sequence of the newest event that says what the thread goes on from; null if
  ///   there is none
  record QueueChanged(
      QueueChange change, @Nullable String turnId, List<QueuedTurn> turns, @Nullable Long base)
      implements ThreadEvent {
    public QueueChanged {
      turns = List.copyOf(turns);
    }
  }

  /// Somebody wants the thread to go on from an earlier turn, and it has no turn that runs or
  /// waits.
  record RollbackStarted(String turnId, String runId) implements ThreadEvent {}

  /// A fact after which the thread has no turn that runs or waits, and its next one begins with
  /// what another left.
  sealed interface Based extends ThreadEvent {
    ThreadOrigin base();
  }

  /// The thread goes on from an earlier turn; those after it are undone.
  record RollbackCompleted(ThreadOrigin base) implements Based {}

  /// The thread goes on from the turn whose memory is kept.
  record Reconstructed(ThreadOrigin base) implements Based {}

  /// An event of another type, kept as it is: newer writers may know more types.
  record Other(String type, JsonNode payload) implements ThreadEvent {}
}
