package dev.runyard.bench.peers;

import java.util.OptionalDouble;

/// One piece of work at a client.
///
/// @param acceptedMillis until it was accepted; empty where its client learns only of the end
/// @param endMillis until the client knew that it had ended
record Work(OptionalDouble acceptedMillis, double endMillis) {

  static Work ended(double endMillis) {
    return new Work(OptionalDouble.empty(), endMillis);
  }
}
