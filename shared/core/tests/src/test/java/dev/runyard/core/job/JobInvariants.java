package dev.runyard.core.job;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What holds of the log of each job that has ended.
final class JobInvariants {
  private JobInvariants() {}

  /// What is broken, each with the name of the invariant.
  static List<String> broken(List<StoredJobEvent> log) {
    List<String> broken = new ArrayList<>();
    Map<String, Integer> ends = new HashMap<>();
    Set<String> running = new HashSet<>();
    int concurrency = ((JobEvent.Created) log.getFirst().event()).terms().concurrency();
    boolean stopping = false;
    for (StoredJobEvent stored : log) {
      switch (stored.event()) {
        case JobEvent.ItemStarted started -> {
          ends.put(attempt(started.item(), started.attempt()), 0);
          running.add(started.runId());
          if (running.size() > concurrency) {
            broken.add("J2: %d items run at %d".formatted(running.size(), stored.sequence()));
          }
          if (stopping) {
            broken.add("J3: item %d starts after the stop".formatted(started.item()));
          }
        }
        case JobEvent.ItemEnded ended -> {
          ends.merge(attempt(ended.item(), ended.attempt()), 1, Integer::sum);
          running.remove(ended.runId());
        }
        case JobEvent.StopRequested _ -> stopping = true;
        case JobEvent.Created _,
            JobEvent.ItemsAdded _,
            JobEvent.Started _,
            JobEvent.ItemRetried _,
            JobEvent.ItemReported _,
            JobEvent.Blocked _,
            JobEvent.Ended _,
            JobEvent.Other _ -> {}
      }
    }
    ends.forEach(
        (attempt, count) -> {
          if (count != 1) {
            broken.add("J1: %s ended %d times".formatted(attempt, count));
          }
        });
    return broken;
  }

  private static String attempt(int item, int attempt) {
    return "attempt %d of item %d".formatted(attempt, item);
  }
}
