package dev.runyard.simulator;

import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.fleet.FleetSize;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.queue.RunQueue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Asks of each start of a runner whether a run wanted it: one that waits for a runner or has one,
/// now or a moment ago. A run that waits for its turn, or for a place of its tenant, wants none.
final class StartsOracle {
  /// How old what a function counts may be: a message of a run that has ended is there until its
  /// runner has deleted it.
  private static final Duration MOMENT = Duration.ofSeconds(30);

  private final List<Start> starts = new ArrayList<>();

  /// @param there runners that come or take runs
  /// @param messages in the queue
  private record Start(Instant at, int there, int messages) {}

  /// A runner is started.
  ///
  /// @param there other runners that come or take runs
  /// @param depth of the queue
  void started(Instant at, int there, RunQueue.Depth depth) {
    starts.add(new Start(at, there, depth.waiting() + depth.inFlight()));
  }

  /// What is wrong with the starts of a history in which functions see what is there.
  List<Violation> check(List<SimulatedLog.Told> changes, FleetSize size) {
    return starts.stream()
        .filter(start -> start.there() >= wanted(changes, start, size))
        .map(start -> new Violation("fleet", "a runner is started that no run wants: " + start))
        .toList();
  }

  private static int wanted(List<SimulatedLog.Told> changes, Start start, FleetSize size) {
    int runs = Math.max(start.messages(), wanting(changes, start.at()));
    return Math.max(size.min(), Math.ceilDiv(runs, size.runsPerRunner()));
  }

  /// How many runs wanted a runner at some time in the moment before. One that has just begun to
  /// may be counted by its event and by its message.
  private static int wanting(List<SimulatedLog.Told> changes, Instant at) {
    Instant from = at.minus(MOMENT);
    int begun = 0;
    Map<RunKey, Boolean> wants = new HashMap<>();
    Set<RunKey> wanted = new HashSet<>();
    for (SimulatedLog.Told told : changes) {
      if (!(told.chunk().key() instanceof RunKey run) || told.at().isAfter(at)) {
        continue;
      }
      for (StoredEvent stored : told.chunk().events(EventCodec.RUNS)) {
        boolean before = wants.getOrDefault(run, false);
        boolean now = wants(stored.event(), before);
        wants.put(run, now);
        begun += !before && now && !told.at().isBefore(from) ? 1 : 0;
        if (before && !told.at().isBefore(from)) {
          wanted.add(run);
        }
      }
    }
    wants.forEach(
        (run, still) -> {
          if (still) {
            wanted.add(run);
          }
        });
    return wanted.size() + begun;
  }

  private static boolean wants(RunEvent event, boolean before) {
    return switch (event) {
      case RunEvent.TaskQueued queued -> queued.behind() == null;
      case RunEvent.AttemptStarted _ -> true;
      case RunEvent.AttemptEnd _, RunEvent.Terminal _ -> false;
      case RunEvent.StateChange _, RunEvent.Output _, RunEvent.Interaction _, RunEvent.Notice _ ->
          before;
    };
  }
}
