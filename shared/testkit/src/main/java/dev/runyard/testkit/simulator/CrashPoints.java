package dev.runyard.testkit.simulator;

import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/// Plays a scenario once for each of its port calls and each thing that can happen there: the
/// caller dies before it, dies after it, or never hears the answer.
public final class CrashPoints {
  private static final int SEED = 1;

  private final Scenario scenario;
  private final Defect defect;
  private final List<Violation> violations = new ArrayList<>();
  private long points;

  private CrashPoints(Scenario scenario, Defect defect) {
    this.scenario = scenario;
    this.defect = defect;
  }

  /// What came of one scenario.
  ///
  /// @param points histories that were played
  /// @param violations what was wrong in any of them
  public record Report(Scenario scenario, long points, List<Violation> violations) {
    public Report {
      violations = List.copyOf(violations);
    }
  }

  public static Report of(Scenario scenario) {
    CrashPoints points = new CrashPoints(scenario, Defect.NONE);
    points.play(Integer.MAX_VALUE);
    return new Report(scenario, points.points, points.violations);
  }

  /// What goes wrong first with a defect.
  public static Optional<Violation> first(Scenario scenario, Defect defect) {
    CrashPoints points = new CrashPoints(scenario, defect);
    points.play(1);
    return points.violations.stream().findFirst();
  }

  /// @param most violations after which it is enough
  private void play(int most) {
    long calls = play(0, Faults.Strike.NOTHING);
    for (Faults.Strike strike : EnumSet.complementOf(EnumSet.of(Faults.Strike.NOTHING))) {
      for (long call = 1; call <= calls && violations.size() < most; call++) {
        play(call, strike);
        points++;
      }
    }
  }

  /// Answers how many port calls there were while faults were on.
  private long play(long call, Faults.Strike strike) {
    Random random = new Random(SEED);
    SimulatedSystem system =
        new SimulatedSystem(
            random,
            defect,
            scenario.setting(),
            timeline -> new Faults(random, timeline, call, strike));
    system.agents().play(scenario::script);
    History history = new History(system, random, History.HOURS);
    Promises promises = new Promises();
    ScenarioClient client = new ScenarioClient(system, promises, scenario);
    Timeline timeline = system.timeline();
    timeline.add(client);
    if (system.setting().integrated()) {
      system.others().listen();
    }
    scenario.begin(system);
    history.play(scenario.faulty());
    long calls = system.faults().callsWhileOn();
    timeline.play(timeline.now().plus(History.HOURS), client::done);
    history.rest();
    boolean counts = system.setting().started() || system.setting().quotas().countRuns();
    if (counts) {
      Instant later = timeline.now().plus(RestOracle.AFTER);
      timeline.play(later, () -> false);
    }
    List<Violation> found =
        new ArrayList<>(history.check(List.of(Map.of()), client.sessions(), promises));
    if (counts && found.isEmpty()) {
      found.addAll(RestOracle.check(system));
    }
    if (!client.done()) {
      found.add(new Violation("client", "it waits for ever: " + client));
    }
    for (Violation violation : found) {
      violations.add(
          new Violation(
              violation.invariant(),
              "%s %s call %d: %s".formatted(scenario, strike, call, violation.detail())));
    }
    return calls;
  }
}
