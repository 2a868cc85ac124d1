package dev.runyard.core.stream;

import dev.runyard.core.ids.StreamKey;
import java.time.Instant;
import java.util.List;

/// What the log must know about one kind of stream: how its events are stored, how they fold, and
/// how commands are decided. All of it is pure.
///
/// @param <S> its state
/// @param <C> its commands
/// @param <D> what its rules make of a command
/// @param <E> its events
public interface StreamType<S extends StreamState, C, D, E extends StreamEvent> {
  StreamCodec<E> codec();

  /// The state before the first event.
  S absent();

  /// The state after `event`.
  ///
  /// @throws IllegalStateException when the event is not the next one, or follows the last: a log
  ///   like that is broken, and nothing may be decided from it
  S evolve(S state, E event);

  /// The state, which is at the end of a chunk, with the chain up to there. A kind that keeps none
  /// writes chunks without links.
  default S chained(S state, Chain chain) {
    return state;
  }

  D decide(S state, C command);

  /// The events that `decision` appends after `state`; none when it appends nothing.
  List<E> events(StreamKey key, S state, C command, D decision, Instant now);
}
