package dev.runyard.core.log;

import dev.runyard.core.ids.Ids;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.problem.LogAhead;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.stream.Chain;
import dev.runyard.core.stream.StreamEvent;
import dev.runyard.core.stream.StreamState;
import dev.runyard.core.stream.StreamType;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/// The only way to change a stream: fold, decide, append after the head, and on a collision fold
/// the tail and decide again. There is no other lock.
///
/// @param <S> states of the kind of stream
/// @param <C> its commands
/// @param <D> what its rules make of a command
/// @param <E> its events
public final class StreamLog<S extends StreamState, C, D, E extends StreamEvent> {
  /// Most collisions of one command. Each one means that somebody else made progress.
  public static final int COLLISIONS_MAX = 50;

  /// A chunk that reaches another multiple of this carries the state even if it does not change it,
  /// so that the functions learn of the stream and write its snapshot.
  public static final int SNAPSHOT_EVENTS = 5_000;

  /// Most events one load folds, give or take one read. Beyond that, the state so far is saved as a
  /// snapshot, and the next load continues there.
  public static final int LOAD_EVENTS_MAX = 10 * SNAPSHOT_EVENTS;

  /// A load that finds the kept snapshot further behind the head than this saves the head. While
  /// projection keeps up, none does.
  public static final int BEHIND_EVENTS_MAX = 2 * SNAPSHOT_EVENTS;

  private final StreamType<S, C, D, E> type;
  private final EventLog log;
  private final Snapshots<S> snapshots;
  private final InstantSource clock;
  private final Ids ids;
  private final String writer;

  /// @param writer names the process in what it appends
  public StreamLog(
      StreamType<S, C, D, E> type,
      EventLog log,
      Snapshots<S> snapshots,
      InstantSource clock,
      Ids ids,
      String writer) {
    this.type = type;
    this.log = log;
    this.snapshots = snapshots;
    this.clock = clock;
    this.ids = ids;
    this.writer = writer;
  }

  /// The stream's current state, which includes every acknowledged append.
  ///
  /// @throws dev.runyard.core.problem.PortUnavailable when the log did not answer; a [LogAhead]
  ///   when the stream is so far ahead of its snapshot that another load must continue
  public S load(StreamKey key) {
    S from = snapshots.latest(key).orElseGet(type::absent);
    for (Tail<S> tail = tail(key, from); ; tail = tail(key, tail.state())) {
      S at = tail.state();
      snapshots.folded(key, at);
      if (!tail.more()) {
        keepHead(key, from, at);
        return at;
      }
      long folded = at.sequence() - from.sequence();
      if (folded > LOAD_EVENTS_MAX && !at.closed() && snapshots.keep(at)) {
        throw new LogAhead();
      }
    }
  }

  /// Whoever reads next, and be it in a process that has not seen the stream, starts near the head
  /// though nobody projects it. The end of a stream is left to the projection, which has more to do
  /// with it; nothing is read behind it. A head that cannot be saved was read all the same.
  private void keepHead(StreamKey key, S from, S head) {
    try {
      if (!head.closed() && snapshots.behind(key, from, head) > BEHIND_EVENTS_MAX) {
        snapshots.keep(head);
      }
    } catch (PortUnavailable _) {
      // A later load tries again.
    }
  }

  /// `state` and everything appended since.
  public S catchUp(StreamKey key, S state) {
    Tail<S> tail = tail(key, state);
    while (tail.more()) {
      tail = tail(key, tail.state());
    }
    return tail.state();
  }

  /// A stream whose beginning was removed, and which has no snapshot, is as if it had never been:
  /// what is left of it goes within days.
  private Tail<S> tail(StreamKey key, S from) {
    List<Chunk> chunks = from.closed() ? List.of() : log.chunksAfter(key, from.sequence());
    if (from.sequence() == 0 && !chunks.isEmpty() && chunks.getFirst().first() > 1) {
      return new Tail<>(from, false);
    }
    S at = from;
    for (Chunk chunk : chunks) {
      at = behind(at, chunk);
    }
    return new Tail<>(at, chunks.size() == EventLog.READ_CHUNKS_MAX);
  }

  /// The state behind a chunk that follows `from`.
  private S behind(S from, Chunk chunk) {
    return type.chained(
        fold(from, chunk.events(type.codec())),
        Chain.behind(from.chain(), chunk.first(), chunk.previous(), chunk.hash()));
  }

  private S fold(S from, List<E> events) {
    S state = from;
    for (E event : events) {
      state = type.evolve(state, event);
    }
    return state;
  }

  /// Executes `command` on the stream, whose state is `from` or later.
  ///
  /// @throws dev.runyard.core.problem.PortUnavailable when the log did not answer; the command may
  ///   have been executed, and executing it again is safe
  public Result<S, D, E> execute(StreamKey key, S from, C command) {
    S state = from;
    for (int i = 0; i < COLLISIONS_MAX; i++) {
      D decision = type.decide(state, command);
      List<E> events = events(key, state, command, decision);
      if (events.isEmpty()) {
        return new Result<>(decision, state, events);
      }
      Chunk chunk = chunk(key, state, events);
      switch (log.append(chunk)) {
        case AppendResult.Appended _ -> {
          S after = behind(state, chunk);
          snapshots.folded(key, after);
          return new Result<>(decision, after, events);
        }
        case AppendResult.Collision _ -> state = catchUp(key, state);
      }
    }
    throw new IllegalStateException("no room behind the head of " + key.partition());
  }

  public D decide(S state, C command) {
    return type.decide(state, command);
  }

  /// The events that `decision` appends after `state`; none when it appends nothing.
  public List<E> events(StreamKey key, S state, C command, D decision) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    return List.copyOf(type.events(key, state, command, decision, now));
  }

  /// The chunk that writes `events` after `state`.
  public Chunk chunk(StreamKey key, S state, List<E> events) {
    ChunkBody body = ChunkBody.of(type.codec(), events);
    boolean moves =
        state.sequence() / SNAPSHOT_EVENTS < body.last() / SNAPSHOT_EVENTS
            || events.stream().anyMatch(StreamEvent::changesState);
    Optional<S> after = moves ? Optional.of(fold(state, events)) : Optional.empty();
    return new Chunk(
        key,
        ids.token(),
        writer,
        body,
        after.map(StreamState::phase),
        after.filter(StreamState::closed).isPresent(),
        state.chain().map(Chain::head));
  }

  public AppendResult append(Chunk chunk) {
    return log.append(chunk);
  }

  /// A state after one read of the log, and whether there may be more.
  private record Tail<S>(S state, boolean more) {}

  /// What became of a command.
  ///
  /// @param decision of the rules, in the stream's last state
  /// @param state the stream's state after it
  /// @param appended what it appended; may be empty
  public record Result<S, D, E>(D decision, S state, List<E> appended) {
    public Result {
      appended = List.copyOf(appended);
    }
  }
}
