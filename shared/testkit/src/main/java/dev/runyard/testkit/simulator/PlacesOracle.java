package dev.runyard.testkit.simulator;

import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.Chunk;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Asks whether a tenant never has more runs under way than it may. A run that was paused is not
/// asked about: when it continues, it has a place whether there is one or not.
final class PlacesOracle {
  private final int most;
  private final Set<RunKey> underWay = new HashSet<>();
  private final Set<RunKey> paused = new HashSet<>();
  private final Set<RunKey> atWork = new HashSet<>();
  private final Set<RunKey> aside = new HashSet<>();
  private final List<Violation> violations = new ArrayList<>();

  private PlacesOracle(int most) {
    this.most = most;
  }

  static List<Violation> check(List<Chunk> changes, int most) {
    PlacesOracle oracle = new PlacesOracle(most);
    changes.forEach(chunk -> chunk.events(EventCodec.RUNS).forEach(oracle::saw));
    return List.copyOf(oracle.violations);
  }

  private void saw(StoredEvent stored) {
    RunKey run = stored.run();
    works(run, stored.event());
    switch (stored.event()) {
      case RunEvent.AttemptStarted _ when !paused.contains(run) -> {
        underWay.add(run);
        if (underWay.size() > most) {
          violations.add(
              new Violation(
                  "places",
                  "%s begins as one of %d, of which there may be %d"
                      .formatted(run.runId(), underWay.size(), most)));
        }
      }
      case RunEvent.TaskPaused _ -> rests(run);
      case RunEvent.TaskUpdated _, RunEvent.TaskRetrying _
          when aside.contains(run) && !atWork.contains(run) ->
          rests(run);
      case RunEvent.Terminal _ -> underWay.remove(run);
      case RunEvent.StateChange _,
          RunEvent.Output _,
          RunEvent.Interaction _,
          RunEvent.Notice _ -> {}
    }
  }

  private void works(RunKey run, RunEvent event) {
    if (event instanceof RunEvent.AttemptStarted) {
      atWork.add(run);
    } else if (event instanceof RunEvent.AttemptEnd) {
      atWork.remove(run);
    } else if (event instanceof RunEvent.TaskUpdated(String why) && why != null) {
      aside.add(run);
    } else if (event instanceof RunEvent.TaskUpdated) {
      aside.remove(run);
    }
  }

  private void rests(RunKey run) {
    paused.add(run);
    underWay.remove(run);
  }
}
