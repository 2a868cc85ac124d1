package dev.runyard.simulator;

import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentManifest;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.run.RunFacts;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;

/// Agents that tell numbered output over time, ask people, wait for messages, and then succeed,
/// fail or hang; and what each of them told its attempt.
final class ScriptedAgents {
  /// Tag of a run whose agent fails however often it is tried.
  static final String FAILS = "fails";

  /// The room in an event's text after an agent's own words.
  private static final int FILL_BYTES = Limits.TEXT_BYTES_MAX - 200;

  /// One agent that takes messages.
  static final AgentCatalog CATALOG =
      new AgentCatalog(
          List.of(
              new AgentManifest(
                  AgentCatalog.ECHO,
                  "Scripted",
                  "Plays a script.",
                  new TreeSet<>(
                      List.of(
                          Capabilities.RUN,
                          Capabilities.EVENTS,
                          Capabilities.MESSAGE,
                          Capabilities.PAUSE)),
                  List.of(),
                  List.of())));

  private final Random random;
  private final ScriptedAgent.World world;
  private final Map<String, ScriptedAgent> byAttempt = new HashMap<>();
  private final Map<RunKey, NavigableMap<Integer, AgentScript>> scripts = new HashMap<>();
  private final List<String> startedTwice = new ArrayList<>();
  private final Map<String, Failure> refused = new HashMap<>();
  private Author author;

  /// Whether agents send output of the largest size.
  private boolean large;

  private ScriptedAgents(Random random, InstantSource clock, Defect defect) {
    this.random = random;
    this.world = new ScriptedAgent.World(random, clock, defect);
    this.author = (facts, _) -> written(facts, false);
  }

  /// The agents of a history.
  static ScriptedAgents of(Setting setting, Random random, InstantSource clock, Defect defect) {
    ScriptedAgents agents = new ScriptedAgents(random, clock, defect);
    if (setting.lasting()) {
      agents.author = (facts, _) -> agents.written(facts, true);
    }
    agents.large = setting.large();
    if (setting.loud()) {
      agents.shout();
    }
    return agents;
  }

  /// Writes what an attempt plays that begins anew.
  @FunctionalInterface
  interface Author {
    AgentScript script(RunFacts facts, Attempt attempt);
  }

  /// Attempts play what the author writes.
  void play(Author by) {
    author = by;
  }

  /// The first run that begins has very much to tell, and fails once.
  private void shout() {
    Author others = author;
    author =
        (facts, attempt) ->
            scripts.size() == 1
                ? AgentScript.loud(attempt.number() == 1)
                : others.script(facts, attempt);
  }

  private AgentScript written(RunFacts facts, boolean lasting) {
    return facts.request().tags().containsKey(FAILS)
        ? AgentScript.failing()
        : AgentScript.random(random, lasting);
  }

  /// A fifth of the requests never wait.
  boolean interactive(RunFacts facts) {
    return !facts.request().tags().getOrDefault("request", "").endsWith("0");
  }

  ScriptedAgent launch(RunFacts facts, Attempt attempt, AgentSite place) {
    NavigableMap<Integer, AgentScript> of =
        scripts.computeIfAbsent(facts.run(), _ -> new TreeMap<>());
    if (!attempt.continuation()) {
      of.put(attempt.number(), author.script(facts, attempt));
    }
    AgentScript script = of.floorEntry(attempt.number()).getValue();
    ScriptedAgent agent = new ScriptedAgent(script, facts, attempt, place, world);
    if (large) {
      agent.fill(Filler.of(attempt.id(), FILL_BYTES));
    }
    if (byAttempt.put(attempt.id(), agent) != null) {
      startedTwice.add(attempt.id());
    }
    return agent;
  }

  /// The agent of the attempt did not start, for this reason.
  void refuse(String attemptId, Failure why) {
    refused.put(attemptId, why);
  }

  Map<String, Failure> refused() {
    return refused;
  }

  /// The scripts of a run's attempts.
  List<AgentScript> scripts(RunKey run) {
    return List.copyOf(scripts.getOrDefault(run, new TreeMap<>()).values());
  }

  Map<String, ScriptedAgent> byAttempt() {
    return byAttempt;
  }

  List<String> startedTwice() {
    return startedTwice;
  }
}
