package dev.runyard.core.thread;

import dev.runyard.core.stream.Chain;
import dev.runyard.core.stream.StreamState;
import java.util.List;
import java.util.Optional;

/// A thread, folded from its events. The newest change of its order has all of it, so the newest
/// chunk is all that anybody reads.
///
/// @param sessionId empty before the first event
/// @param turns those that have not ended, the one whose turn it is first
/// @param base the sequence of the event that says what the thread goes on from; 0 if there is none
/// @param chain as [StreamState#chain] has it
public record ThreadState(
    long sequence, String sessionId, List<QueuedTurn> turns, long base, Optional<Chain> chain)
    implements StreamState {
  static final ThreadState ABSENT = new ThreadState(0, "", List.of(), 0, Optional.empty());

  public ThreadState {
    turns = List.copyOf(turns);
  }

  /// A thread that has no log yet, with the order that it will begin with.
  public static ThreadState unlogged(String sessionId, List<QueuedTurn> turns) {
    return new ThreadState(0, sessionId, turns, 0, Optional.empty());
  }

  /// Before the event after `sequence`, of which nothing is known but its place.
  static ThreadState before(long sequence) {
    return new ThreadState(sequence, "", List.of(), 0, Optional.empty());
  }

  public boolean exists() {
    return sequence > 0;
  }

  /// The turns as runs, in their order.
  public List<String> runs() {
    return turns.stream().map(QueuedTurn::runId).toList();
  }

  /// The turn with that name, or of the run with that id.
  public Optional<QueuedTurn> find(String id) {
    return turns.stream()
        .filter(turn -> turn.turnId().equals(id) || turn.runId().equals(id))
        .findFirst();
  }

  ThreadState then(StoredThreadEvent stored) {
    if (stored.sequence() != sequence + 1) {
      throw new IllegalStateException(
          "event %d of %s follows %d"
              .formatted(stored.sequence(), stored.key().partition(), sequence));
    }
    return switch (stored.event()) {
      case ThreadEvent.QueueChanged(_, _, List<QueuedTurn> next, Long from) ->
          after(stored, next, from == null ? 0 : from);
      case ThreadEvent.Based _ -> after(stored, List.of(), stored.sequence());
      case ThreadEvent.ThreadStarted _, ThreadEvent.RollbackStarted _, ThreadEvent.Other _ ->
          after(stored, turns, base);
    };
  }

  private static ThreadState after(StoredThreadEvent stored, List<QueuedTurn> turns, long base) {
    return new ThreadState(stored.sequence(), stored.sessionId(), turns, base, Optional.empty());
  }

  ThreadState chained(Chain followed) {
    return new ThreadState(sequence, sessionId, turns, base, Optional.of(followed));
  }

  @Override
  public String phase() {
    return turns.isEmpty() ? "idle" : "busy";
  }

  /// A thread may always go on.
  @Override
  public boolean closed() {
    return false;
  }
}
