package dev.runyard.core.job;

import java.util.Objects;

/// Items that were added by one request.
///
/// @param inputs names their requests in the store ([JobInputs])
/// @param key identifies the request that added them; empty if it had no idempotency key
/// @param first number of the first of them
/// @param step how many requests are stored together
public record ItemBatch(String inputs, String key, int first, int count, int step) {
  public ItemBatch {
    Objects.requireNonNull(inputs);
    Objects.requireNonNull(key);
  }

  /// The same at its place in a job.
  ItemBatch at(int number) {
    return new ItemBatch(inputs, key, number, count, step);
  }

  int last() {
    return first + count - 1;
  }

  /// Which of the stored parts has the item.
  int part(int item) {
    return (item - first) / step;
  }

  /// Which of the part's requests is the item's.
  int place(int item) {
    return (item - first) % step;
  }
}
