package dev.runyard.simulator;

import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.quota.Quota;
import dev.runyard.core.quota.Quotas;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Asks whether a tenant never has more runs under way, or open, than it may. A run that was paused
/// is not asked about: when it continues, it has a place whether there is one or not.
final class PlacesOracle {
  private final int most;
  private final Set<RunKey> underWay = new HashSet<>();
  private final Set<RunKey> paused = new HashSet<>();
  private final Set<RunKey> atWork = new HashSet<>();
  private final Set<RunKey> aside = new HashSet<>();
  private final Map<String, Set<RunKey>> open = new HashMap<>();
  private final List<Violation> violations = new ArrayList<>();

  private PlacesOracle(int most) {
    this.most = most;
  }

  static List<Violation> check(List<Chunk> changes, Setting setting) {
    PlacesOracle oracle = new PlacesOracle(setting.placesMax());
    Quotas quotas = setting.quotas();
    for (Chunk chunk : changes) {
      chunk.events(EventCodec.RUNS).forEach(oracle::saw);
      if (chunk.key() instanceof RunKey run) {
        Quota quota = quotas.of(run.tenant());
        if (quota.countsOpen()) {
          oracle.open(run, chunk.closed(), quota.openMost());
        }
      }
    }
    return List.copyOf(oracle.violations);
  }

  private void open(RunKey run, boolean closed, long openMax) {
    Set<RunKey> runs = open.computeIfAbsent(run.tenant(), _ -> new HashSet<>());
    if (closed) {
      runs.remove(run);
    } else if (runs.add(run) && runs.size() > openMax) {
      violations.add(
          new Violation("places", "%s is one of %d open runs".formatted(run, runs.size())));
    }
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
