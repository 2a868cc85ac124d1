package dev.runyard.simulator;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiFunction;

/// The history of one scenario: always the same, but for the faults it is given.
final class ScenarioHistory {
  private static final int SEED = 1;

  private final Random random = new Random(SEED);
  private final SimulatedSystem system;
  private final History history;
  private final Promises promises = new Promises();
  private final ScenarioClient client;

  /// @param faults made on its time
  ScenarioHistory(Scenario scenario, Defect defect, BiFunction<Random, Timeline, Faults> faults) {
    this.system =
        new SimulatedSystem(
            random, defect, scenario.setting(), timeline -> faults.apply(random, timeline));
    system.agents().play(scenario::script);
    this.history = new History(system, random, History.HOURS);
    this.client = new ScenarioClient(system, promises, scenario);
    system.timeline().add(client);
    if (system.setting().integrated()) {
      system.others().listen();
    }
  }

  SimulatedSystem system() {
    return system;
  }

  /// Plays on.
  void begin(Duration duration) {
    system.timeline().play(system.now().plus(duration), () -> false);
  }

  /// Plays on with faults for a time, and then without until nothing is left to do.
  void play(Duration faulty) {
    history.play(faulty);
    Timeline timeline = system.timeline();
    timeline.play(timeline.now().plus(History.HOURS), client::done);
    history.rest();
    if (counts()) {
      Instant later = timeline.now().plus(RestOracle.AFTER);
      timeline.play(later, () -> false);
    }
  }

  /// What is wrong with what is left.
  List<Violation> check() {
    List<Violation> found =
        new ArrayList<>(history.check(List.of(Map.of()), client.sessions(), promises));
    if (counts() && found.isEmpty()) {
      found.addAll(RestOracle.check(system));
    }
    if (!client.done()) {
      found.add(new Violation("client", "it waits for ever: " + client));
    }
    return found;
  }

  private boolean counts() {
    return system.setting().started() || system.setting().quotas().countRuns();
  }
}
