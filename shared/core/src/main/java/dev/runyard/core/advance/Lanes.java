package dev.runyard.core.advance;

import java.util.List;

/// How work on independent runs is done: one after another, or in parallel on a number of threads.
@FunctionalInterface
public interface Lanes {
  /// Does all of `work`, which must not throw, and returns when it is done.
  void run(List<Runnable> work);

  /// One after another, in order.
  static Lanes one() {
    return work -> work.forEach(Runnable::run);
  }
}
