package dev.runyard.core.thread;

import dev.runyard.core.event.Requester;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.stream.Chain;
import dev.runyard.core.stream.StreamCodec;
import dev.runyard.core.stream.StreamType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Threads as a kind of stream, with their rules.
record ThreadStream()
    implements StreamType<ThreadState, ThreadChange, ThreadDecision, StoredThreadEvent> {
  @Override
  public StreamCodec<StoredThreadEvent> codec() {
    return ThreadCodec.THREADS;
  }

  @Override
  public ThreadState absent() {
    return ThreadState.ABSENT;
  }

  @Override
  public ThreadState evolve(ThreadState state, StoredThreadEvent event) {
    return state.then(event);
  }

  @Override
  public ThreadState chained(ThreadState state, Chain chain) {
    return state.chained(chain);
  }

  @Override
  public ThreadDecision decide(ThreadState state, ThreadChange command) {
    return switch (command) {
      case ThreadChange.Begin _ ->
          state.exists()
              ? new ThreadDecision.Stay()
              : new ThreadDecision.Append(List.of(new ThreadEvent.ThreadStarted()));
      case ThreadChange.Settle settle ->
          state.sequence() == settle.seen() ? settle(state, settle) : new ThreadDecision.Stale();
      case ThreadChange.Take take ->
          state.sequence() == take.seen() ? take(state, take) : new ThreadDecision.Stale();
      case ThreadChange.Withdraw withdraw ->
          changed(
              state,
              without(state.turns(), withdraw.runs()),
              withdraw.change(),
              alone(state, withdraw));
      case ThreadChange.Promote promote -> promote(state, promote.runId());
      case ThreadChange.GoOn on ->
          state.sequence() == on.seen() ? goOn(state, on) : new ThreadDecision.Stale();
    };
  }

  private static ThreadDecision goOn(ThreadState state, ThreadChange.GoOn on) {
    ThreadOrigin from = on.from();
    List<ThreadEvent> facts =
        on.back()
            ? List.of(
                new ThreadEvent.RollbackStarted(from.turnId(), from.runId()),
                new ThreadEvent.RollbackCompleted(from))
            : List.of(new ThreadEvent.Reconstructed(from));
    return new ThreadDecision.Append(begun(state, facts));
  }

  private static List<ThreadEvent> begun(ThreadState state, List<ThreadEvent> facts) {
    return state.exists()
        ? facts
        : Stream.concat(Stream.of(new ThreadEvent.ThreadStarted()), facts.stream()).toList();
  }

  private static ThreadDecision settle(ThreadState state, ThreadChange.Settle settle) {
    List<QueuedTurn> there = state.exists() ? state.turns() : settle.before();
    List<QueuedTurn> order = new ArrayList<>(there);
    QueuedTurn joining = settle.joining();
    if (joining != null && order.stream().noneMatch(turn -> turn.runId().equals(joining.runId()))) {
      order.add(joining);
      return changed(state, without(order, settle.ended()), QueueChange.ADDED, joining.turnId());
    }
    return changed(
        state,
        without(order, settle.ended()),
        state.exists() ? QueueChange.ENDED : QueueChange.ADDED,
        null);
  }

  private static ThreadDecision take(ThreadState state, ThreadChange.Take take) {
    List<QueuedTurn> open = without(state.exists() ? state.turns() : take.before(), take.ended());
    QueuedTurn joining = take.joining();
    return open.stream().anyMatch(turn -> !turn.runId().equals(joining.runId()))
        ? new ThreadDecision.Busy()
        : changed(state, List.of(joining), QueueChange.ADDED, joining.turnId());
  }

  private static ThreadDecision promote(ThreadState state, String runId) {
    int at = state.runs().indexOf(runId);
    if (at < 1) {
      return new ThreadDecision.NotQueued();
    }
    List<QueuedTurn> next = new ArrayList<>(state.turns());
    QueuedTurn turn = next.remove(at);
    next.add(1, turn);
    return changed(state, next, QueueChange.PROMOTED, turn.turnId());
  }

  private static @Nullable String alone(ThreadState state, ThreadChange.Withdraw withdraw) {
    return withdraw.runs().size() == 1
        ? state.find(withdraw.runs().iterator().next()).map(QueuedTurn::turnId).orElse(null)
        : null;
  }

  private static List<QueuedTurn> without(List<QueuedTurn> turns, Set<String> runs) {
    return turns.stream().filter(turn -> !runs.contains(turn.runId())).toList();
  }

  private static ThreadDecision changed(
      ThreadState state, List<QueuedTurn> next, QueueChange change, @Nullable String turnId) {
    if (next.equals(state.turns())) {
      return new ThreadDecision.Stay();
    }
    Long base = state.base() == 0 ? null : state.base();
    return new ThreadDecision.Append(
        begun(state, List.of(new ThreadEvent.QueueChanged(change, turnId, next, base))));
  }

  @Override
  public List<StoredThreadEvent> events(
      StreamKey key,
      ThreadState state,
      ThreadChange command,
      ThreadDecision decision,
      Instant now) {
    if (!(decision instanceof ThreadDecision.Append append)) {
      return List.of();
    }
    List<StoredThreadEvent> stored = new ArrayList<>();
    for (ThreadEvent event : append.events()) {
      stored.add(
          new StoredThreadEvent(
              (ThreadKey) key,
              state.exists() ? state.sessionId() : session(command),
              state.sequence() + stored.size() + 1,
              now,
              event,
              by(command)));
    }
    return stored;
  }

  private static String session(ThreadChange command) {
    return switch (command) {
      case ThreadChange.Begin begin -> begin.sessionId();
      case ThreadChange.Settle settle -> settle.sessionId();
      case ThreadChange.Take take -> take.sessionId();
      case ThreadChange.GoOn on -> on.sessionId();
      case ThreadChange.Withdraw _, ThreadChange.Promote _ ->
          throw new IllegalStateException("a thread without turns has none that waits");
    };
  }

  private static @Nullable Requester by(ThreadChange command) {
    return switch (command) {
      case ThreadChange.Withdraw withdraw -> withdraw.by();
      case ThreadChange.Promote promote -> promote.by();
      case ThreadChange.GoOn on -> on.by();
      case ThreadChange.Begin _, ThreadChange.Settle _, ThreadChange.Take _ -> null;
    };
  }
}
