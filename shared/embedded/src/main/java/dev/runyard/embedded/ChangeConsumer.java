package dev.runyard.embedded;

import java.util.List;
import java.util.OptionalLong;

/// Somebody who is told of changes. They come in order, each at least once, so a consumer takes a
/// change as a hint to look at its stream.
@FunctionalInterface
public interface ChangeConsumer {
  /// Handles changes, of which there is at least one.
  ///
  /// @return the position of the first that could not be handled, from which on they come again;
  ///   empty when all are done. An exception says that none is.
  OptionalLong handle(List<StreamChange> changes);
}
