package dev.runyard.core.log;

import dev.runyard.core.ids.StreamKey;
import java.util.Optional;

/// Where a fold may start instead of at the first event: a state that stood at the end of a chunk.
///
/// @param <S> states of the kind of stream
@FunctionalInterface
public interface Snapshots<S> {
  /// A state of the stream at some chunk's end, where one is kept.
  Optional<S> latest(StreamKey key);

  /// Keeps a state that took long to fold, for the next one who asks. True when it can be found
  /// from now on.
  default boolean keep(S state) {
    return false;
  }

  /// Hears of each state that was folded.
  default void folded(StreamKey key, S state) {}

  static <S> Snapshots<S> none() {
    return _ -> Optional.empty();
  }
}
