package dev.runyard.core.log;

import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.stream.StreamState;
import java.util.Optional;

/// Where a fold may start instead of at the first event: the state at the end of some chunk.
///
/// @param <S> states of the kind of stream
@FunctionalInterface
public interface Snapshots<S extends StreamState> {
  /// A state of the stream at the end of some chunk, if one is stored.
  Optional<S> latest(StreamKey key);

  /// Saves a state that took long to fold, for the next load. True when it was saved.
  default boolean keep(S state) {
    return false;
  }

  /// By how many events what is stored is behind `head`, which was folded from `from`.
  default long behind(StreamKey key, S from, S head) {
    return head.sequence() - from.sequence();
  }

  /// Hears of each state that was folded.
  default void folded(StreamKey key, S state) {}

  static <S extends StreamState> Snapshots<S> none() {
    return _ -> Optional.empty();
  }
}
