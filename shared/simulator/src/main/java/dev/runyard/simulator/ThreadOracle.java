package dev.runyard.simulator;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.thread.QueueChange;
import dev.runyard.core.thread.StoredThreadEvent;
import dev.runyard.core.thread.ThreadEvent;
import dev.runyard.core.thread.ThreadKey;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Asks whether the logs of threads lose or double turns. T1: a turn has its place once, gives it
/// back when its run has ended, no run that is to take turns is in no order, and no change of an
/// order moves or drops a turn that it does not speak of.
final class ThreadOracle {
  private final SimulatedLog log;
  private final boolean rested;
  private final List<Violation> violations = new ArrayList<>();

  private ThreadOracle(SimulatedLog log, boolean rested) {
    this.log = log;
    this.rested = rested;
  }

  /// @param rested whether all runs must have ended
  static List<Violation> check(SimulatedLog log, boolean rested) {
    ThreadOracle oracle = new ThreadOracle(log, rested);
    Set<String> placed = new HashSet<>();
    log.threads().forEach(thread -> placed.addAll(oracle.placed(thread)));
    log.runs().stream()
        .filter(run -> oracle.takesTurns(run))
        .forEach(run -> oracle.in(placed, run));
    return List.copyOf(oracle.violations);
  }

  private boolean takesTurns(RunKey run) {
    var turn = log.events(run).getFirst().turn();
    boolean began = log.events(run).stream().anyMatch(stored -> stored.attemptId() != null);
    return began && !turn.threadId().equals("thread-" + run.runId());
  }

  private void in(Set<String> placed, RunKey run) {
    if (!placed.contains(run.runId())) {
      violations.add(new Violation("T1", run.runId() + " began without a place in its thread"));
    }
  }

  /// The runs that were in the order of the thread.
  private Set<String> placed(ThreadKey thread) {
    Set<String> seen = new HashSet<>();
    List<String> before = List.of();
    long expected = 1;
    for (StoredThreadEvent stored : log.events(thread)) {
      if (stored.sequence() != expected++) {
        violations.add(new Violation("T1", thread.id() + " has a gap or an event twice"));
      }
      if (stored.event() instanceof ThreadEvent.QueueChanged changed) {
        List<String> now = changed.turns().stream().map(turn -> turn.runId()).toList();
        changed(thread, before, now, changed.change());
        for (String run : now) {
          if (!before.contains(run) && !seen.add(run)) {
            violations.add(new Violation("T1", run + " has its place a second time"));
          }
        }
        if (new HashSet<>(now).size() != now.size()) {
          violations.add(new Violation("T1", thread.id() + " has a turn twice: " + now));
        }
        before = now;
      }
    }
    for (String run : rested ? before : List.<String>of()) {
      RunKey key = new RunKey(thread.tenant(), run);
      if (log.runs().contains(key) && !log.last(key).closed()) {
        violations.add(new Violation("T1", run + " still waits in " + thread.id()));
      }
    }
    return seen;
  }

  /// Those that stay keep their order, and those that go have ended.
  private void changed(
      ThreadKey thread, List<String> before, List<String> now, QueueChange change) {
    List<String> stay = before.stream().filter(now::contains).toList();
    List<String> kept = now.stream().filter(before::contains).toList();
    if (change != QueueChange.PROMOTED && !stay.equals(kept)) {
      violations.add(new Violation("T1", "%s went from %s to %s".formatted(thread, before, now)));
    }
    for (String gone : before) {
      RunKey key = new RunKey(thread.tenant(), gone);
      if (!now.contains(gone) && log.runs().contains(key) && !log.last(key).closed()) {
        violations.add(new Violation("T1", gone + " lost its place and never ended"));
      }
    }
  }
}
