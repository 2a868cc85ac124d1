package dev.runyard.embedded;

import java.util.Optional;

/// How one queue treats its messages.
///
/// @param name tells it from the other queues of the store
/// @param hiddenSeconds how long a received message is hidden, unless that is extended
/// @param keptSeconds how long a message is kept that nobody deletes
/// @param deadLetters where messages go that were received too often; without, they stay
record QueueRule(
    String name, int hiddenSeconds, int keptSeconds, Optional<DeadLetters> deadLetters) {
  /// A queue that delivers a message as often as it is not deleted.
  QueueRule(String name, int hiddenSeconds, int keptSeconds) {
    this(name, hiddenSeconds, keptSeconds, Optional.empty());
  }

  /// @param receivesMax deliveries after which a message is moved instead of delivered
  record DeadLetters(int receivesMax, QueueRule queue) {}
}
