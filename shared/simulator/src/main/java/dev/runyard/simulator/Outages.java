package dev.runyard.simulator;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.StreamKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Plays a scenario in which the log, the queues or the bucket is away for everybody once, and
/// nothing else goes wrong: what then fails has one cause.
public final class Outages {
  /// What may be away for everybody, each alone.
  static final Map<Fault, Set<Port>> STORES =
      Collections.unmodifiableMap(
          new EnumMap<>(
              Map.of(
                  Fault.LOG_OUTAGE,
                  Faults.LOG,
                  Fault.QUEUE_OUTAGE,
                  Set.of(Port.QUEUE),
                  Fault.BUCKET_OUTAGE,
                  Set.of(Port.BUCKET))));

  private final Scenario scenario;
  private final Fault store;
  private final boolean hangs;

  /// @param store what goes away
  /// @param hangs whether calls get no answer until they are given up, in place of a refusal
  public Outages(Scenario scenario, Fault store, boolean hangs) {
    this.scenario = scenario;
    this.store = store;
    this.hangs = hangs;
  }

  /// What came of it.
  ///
  /// @param endings how many runs ended in each phase, or failed with each code
  /// @param away for how long nobody reached the store; none if no run was open when it went away,
  ///   or if nobody asked it for anything
  public record Report(List<Violation> violations, Map<String, Integer> endings, Duration away) {
    public Report {
      violations = List.copyOf(violations);
      endings = Map.copyOf(endings);
    }
  }

  /// Plays it.
  ///
  /// @param after when the store goes away
  public Report play(Duration after, Defect defect) {
    ScenarioHistory history =
        new ScenarioHistory(
            scenario, defect, (random, timeline) -> new Faults(random, timeline, store));
    SimulatedSystem system = history.system();
    history.begin(after);
    Instant from = system.now();
    system.faults().goesAway(store, hangs);
    history.play(Faults.AWAY);
    boolean met = open(system.log(), from) && system.faults().met().contains(store);
    List<Violation> violations = history.check();
    return new Report(
        violations,
        Simulation.endings(system.log()),
        met ? away(system.faults(), from) : Duration.ZERO);
  }

  /// What was away for all its time in a history, while a run was open and somebody asked for it.
  static Set<Fault> lasted(SimulatedSystem system) {
    Set<Fault> lasted = EnumSet.noneOf(Fault.class);
    for (Hit hit : system.faults().everybody()) {
      if (system.faults().met().contains(hit.fault())
          && STORES.containsKey(hit.fault())
          && Duration.between(hit.from(), hit.to()).equals(Faults.AWAY)
          && open(system.log(), hit.from())) {
        lasted.add(hit.fault());
      }
    }
    return lasted;
  }

  private static boolean open(SimulatedLog log, Instant at) {
    Map<StreamKey, Boolean> open = new HashMap<>();
    for (SimulatedLog.Told told : log.changed()) {
      if (told.chunk().key() instanceof RunKey && !told.at().isAfter(at)) {
        open.put(told.chunk().key(), !told.chunk().closed());
      }
    }
    return open.containsValue(true);
  }

  private Duration away(Faults faults, Instant from) {
    return faults.everybody().stream()
        .filter(hit -> hit.fault() == store)
        .map(hit -> hit.within(from, Instant.MAX))
        .reduce(Duration.ZERO, Duration::plus);
  }
}
