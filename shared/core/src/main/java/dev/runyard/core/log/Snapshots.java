package dev.runyard.core.log;

import dev.runyard.core.ids.StreamKey;
import java.util.Optional;

/// Where a fold may start instead of at the first event: the state at the end of some chunk.
///
/// @param <S> states of the kind of stream
@FunctionalInterface
public interface Snapshots<S> {
  /// A state of the stream at the end of some chunk, if one is stored.
  Optional<S> latest(StreamKey key);

  /// Saves a state that took long to fold, for the next load. True when it was saved.
  default boolean keep(S state) {
    return false;
  }

  /// Hears of each state that was folded.
  default void folded(StreamKey key, S state) {}

  static <S> Snapshots<S> none() {
    return _ -> Optional.empty();
  }
}
