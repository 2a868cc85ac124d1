package dev.runyard.simulator;

import dev.runyard.core.ids.RunKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Agents that go on though their runner died: all runners of such a history share one machine. Who
/// takes a lost attempt's run to its end has to end its agent too.
final class Orphans {
  private final Map<String, ScriptedAgent> alive = new HashMap<>();
  private final Set<String> killed = new HashSet<>();
  private final Set<String> ended = new HashSet<>();
  private final List<Violation> violations = new ArrayList<>();

  /// The runner of an agent died. One that another runner had killed before, because its own stood
  /// still, is gone.
  void left(String attemptId, ScriptedAgent agent) {
    if (killed.contains(attemptId)) {
      agent.vanish();
    } else {
      alive.put(attemptId, agent);
    }
  }

  void end(String attemptId) {
    killed.add(attemptId);
    ScriptedAgent agent = alive.remove(attemptId);
    if (agent != null) {
      agent.vanish();
    }
  }

  /// An agent of the run begins to work: none that another attempt left may still work.
  void starts(RunKey run) {
    alive.forEach(
        (attemptId, agent) -> {
          if (agent.run().equals(run)) {
            goesOn(attemptId, "another of its run begins");
          }
        });
  }

  boolean has(String attemptId) {
    return alive.containsKey(attemptId);
  }

  /// A runner that goes on knows that this attempt is lost.
  void mustEnd(String attemptId) {
    ended.add(attemptId);
  }

  List<Violation> check() {
    alive.keySet().stream()
        .filter(ended::contains)
        .forEach(attemptId -> goesOn(attemptId, "its attempt is lost"));
    return List.copyOf(violations);
  }

  private void goesOn(String attemptId, String although) {
    violations.add(
        new Violation("I4", "the agent of %s goes on, %s".formatted(attemptId, although)));
  }
}
