package dev.runyard.bench.scenario;

import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/// What was found not to hold, by any of many threads.
final class Findings {
  private final Queue<String> found = new ConcurrentLinkedQueue<>();
  private final Set<String> runners = ConcurrentHashMap.newKeySet();

  void require(boolean holds, String what, Object... about) {
    if (!holds) {
      found.add(what.formatted(about));
    }
  }

  /// The stack was at fault.
  void refused(String answer) {
    found.add(answer);
  }

  /// A runner claimed a run.
  void worked(String runner) {
    runners.add(runner);
  }

  /// The runners that claimed runs.
  Set<String> runners() {
    return Set.copyOf(runners);
  }

  void failed(String doing, Throwable why) {
    found.add(doing + " failed: " + why);
  }

  List<String> all() {
    return List.copyOf(found);
  }
}
