package dev.runyard.testkit.simulator;

import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentManifest;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.core.ids.RunKey;
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
import java.util.function.Function;

/// Agents that tell numbered output over time, ask people, wait for messages, and then succeed,
/// fail or hang; and what each of them told its attempt.
final class ScriptedAgents {
  /// One agent that takes messages.
  static final AgentCatalog CATALOG =
      new AgentCatalog(
          List.of(
              new AgentManifest(
                  AgentCatalog.ECHO,
                  "Scripted",
                  "Plays a script.",
                  new TreeSet<>(
                      List.of(Capabilities.RUN, Capabilities.EVENTS, Capabilities.MESSAGE)),
                  List.of(),
                  List.of())));

  private final Random random;
  private final InstantSource clock;
  private final Defect defect;
  private final Map<String, ScriptedAgent> byAttempt = new HashMap<>();
  private final Map<RunKey, NavigableMap<Integer, AgentScript>> scripts = new HashMap<>();
  private final List<String> startedTwice = new ArrayList<>();
  private Function<Attempt, AgentScript> author;

  ScriptedAgents(Random random, InstantSource clock, Defect defect) {
    this.random = random;
    this.clock = clock;
    this.defect = defect;
    this.author = _ -> AgentScript.random(random, false);
  }

  /// Attempts play what the author writes for each that begins anew.
  void play(Function<Attempt, AgentScript> by) {
    author = by;
  }

  /// Attempts may ask people who take a day to answer.
  void last() {
    author = _ -> AgentScript.random(random, true);
  }

  /// A fifth of the requests never wait.
  boolean interactive(RunFacts facts) {
    return !facts.request().tags().getOrDefault("request", "").endsWith("0");
  }

  ScriptedAgent launch(RunFacts facts, Attempt attempt) {
    NavigableMap<Integer, AgentScript> of =
        scripts.computeIfAbsent(facts.run(), _ -> new TreeMap<>());
    if (!attempt.continuation()) {
      of.put(attempt.number(), author.apply(attempt));
    }
    AgentScript script = of.floorEntry(attempt.number()).getValue();
    ScriptedAgent agent = new ScriptedAgent(script, facts, attempt, random, clock, defect);
    if (byAttempt.put(attempt.id(), agent) != null) {
      startedTwice.add(attempt.id());
    }
    return agent;
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
