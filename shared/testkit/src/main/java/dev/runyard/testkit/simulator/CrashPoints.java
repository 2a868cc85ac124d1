package dev.runyard.testkit.simulator;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// Plays a scenario once for each of its port calls and each thing that can happen there: the
/// caller dies before it, dies after it, or never hears the answer.
public final class CrashPoints {
  private static final int SEED = 1;

  private CrashPoints() {}

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
    List<Violation> violations = new ArrayList<>();
    long calls = play(scenario, 0, Faults.Strike.NOTHING, violations);
    long points = 0;
    for (Faults.Strike strike : EnumSet.complementOf(EnumSet.of(Faults.Strike.NOTHING))) {
      for (long call = 1; call <= calls; call++) {
        play(scenario, call, strike, violations);
        points++;
      }
    }
    return new Report(scenario, points, violations);
  }

  /// Answers how many port calls there were while faults were on.
  private static long play(
      Scenario scenario, long call, Faults.Strike strike, List<Violation> violations) {
    Random random = new Random(SEED);
    SimulatedSystem system =
        new SimulatedSystem(
            random,
            Defect.NONE,
            scenario.setting(),
            timeline -> new Faults(random, timeline, call, strike));
    system.agents().play((_, attempt) -> scenario.script(attempt));
    History history = new History(system, random, History.HOURS);
    Promises promises = new Promises();
    ScenarioClient client = new ScenarioClient(system, promises, scenario);
    system.timeline().add(client);
    if (system.setting().integrated()) {
      system.others().listen();
    }
    history.play(scenario.faulty());
    long calls = system.faults().callsWhileOn();
    for (Violation violation : history.check(List.of(Map.of()), client.sessions(), promises)) {
      violations.add(
          new Violation(
              violation.invariant(),
              "%s %s call %d: %s".formatted(scenario, strike, call, violation.detail())));
    }
    return calls;
  }
}
