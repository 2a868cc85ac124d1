package dev.runyard.simulator;

import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.Chunk;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Asks whether the runs of a thread take turns: a run begins when no other of its thread is under
/// way, and one that waits behind another is not sent to runners before.
final class OrderOracle {
  private final Map<String, RunKey> underWay = new HashMap<>();
  private final Set<RunKey> waiting = new HashSet<>();
  private final Set<String> begun = new HashSet<>();
  private final Map<String, List<String>> behind;
  private final List<Violation> violations = new ArrayList<>();

  private OrderOracle(Map<String, List<String>> behind) {
    this.behind = behind;
  }

  /// @param behind the runs that must not begin before another
  static List<Violation> check(List<Chunk> changes, Map<String, List<String>> behind) {
    OrderOracle oracle = new OrderOracle(behind);
    changes.forEach(chunk -> chunk.events(EventCodec.RUNS).forEach(oracle::saw));
    return List.copyOf(oracle.violations);
  }

  private void saw(StoredEvent stored) {
    RunKey run = stored.run();
    switch (stored.event()) {
      case RunEvent.AttemptStarted _ -> {
        alone(stored, "begins");
        promoted(run.runId());
        underWay.put(stored.turn().threadId(), run);
      }
      case RunEvent.TaskQueued queued when queued.behind() != null -> waiting.add(run);
      case RunEvent.TaskQueued _ -> {
        if (waiting.remove(run)) {
          alone(stored, "is sent");
        }
      }
      case RunEvent.Terminal _ -> underWay.remove(stored.turn().threadId(), run);
      case RunEvent.StateChange _,
          RunEvent.Output _,
          RunEvent.Interaction _,
          RunEvent.Notice _ -> {}
    }
  }

  private void promoted(String run) {
    begun.add(run);
    for (String later : behind.getOrDefault(run, List.of())) {
      if (begun.contains(later)) {
        violations.add(
            new Violation("turns", later + " began before " + run + ", which was promoted"));
      }
    }
  }

  private void alone(StoredEvent stored, String what) {
    RunKey other = underWay.getOrDefault(stored.turn().threadId(), stored.run());
    if (!other.equals(stored.run())) {
      violations.add(
          new Violation(
              "turns",
              "%s %s while %s of the same thread is under way"
                  .formatted(stored.run().runId(), what, other.runId())));
    }
  }
}
