package dev.runyard.simulator;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import java.util.ArrayList;
import java.util.List;

/// Asks whether a run that was put aside gives its place up and keeps to that (T6): no attempt of
/// it begins before it may go on.
final class AsideOracle {
  private AsideOracle() {}

  static List<Violation> check(RunKey run, List<StoredEvent> events) {
    List<Violation> violations = new ArrayList<>();
    boolean aside = false;
    for (StoredEvent stored : events) {
      switch (stored.event()) {
        case RunEvent.TaskUpdated update -> {
          if (aside == (update.putAside() != null)) {
            violations.add(wrong(run, "is put aside, or goes on, twice", stored));
          }
          aside = update.putAside() != null;
        }
        case RunEvent.AttemptStarted _, RunEvent.TaskResumed _, RunEvent.TaskQueued _ -> {
          if (aside) {
            violations.add(wrong(run, "goes on though it is put aside", stored));
          }
        }
        case RunEvent.StateChange _,
            RunEvent.Output _,
            RunEvent.Interaction _,
            RunEvent.Notice _ -> {}
      }
    }
    return violations;
  }

  private static Violation wrong(RunKey run, String what, StoredEvent at) {
    return new Violation("T6", "%s %s: %s at %d".formatted(run, what, at.type(), at.sequence()));
  }
}
