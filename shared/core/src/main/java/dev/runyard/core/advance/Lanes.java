package dev.runyard.core.advance;

import java.util.List;

/// How work on runs that do not depend on one another is done: one after another, or side by side
/// on as many threads as whoever made it thinks good.
@FunctionalInterface
public interface Lanes {
  /// Does all of `work`, which throws nothing, and returns when it is done.
  void run(List<Runnable> work);

  /// One after another, in order.
  static Lanes one() {
    return work -> work.forEach(Runnable::run);
  }
}
