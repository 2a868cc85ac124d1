package dev.runyard.testkit.simulator;

import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.problem.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Watches that an attempt has no agent any more which a function takes for dead because it was
/// silent, by whatever clock: its runner has ended it before, unless it could not.
final class LifeOracle {
  private static final Set<String> FUNCTIONS = Set.of(Planted.DRIVER, Planted.SWEEP);
  private static final Duration LOOK_BACK = Duration.ofMinutes(10);

  private final ScriptedAgents agents;
  private final FailureOracle failures;
  private final Orphans orphans;
  private final List<Violation> violations = new ArrayList<>();

  LifeOracle(ScriptedAgents agents, FailureOracle failures, Orphans orphans) {
    this.agents = agents;
    this.failures = failures;
    this.orphans = orphans;
  }

  /// Something was appended at that time.
  void appended(Chunk chunk, Instant at) {
    if (!FUNCTIONS.contains(chunk.writer())) {
      return;
    }
    for (StoredEvent stored : chunk.events(EventCodec.RUNS)) {
      switch (stored.event()) {
        case RunEvent.AttemptFailed lost when lost.error().code().equals(Failure.RUNNER_LOST) ->
            gone(lost.attemptId(), at);
        case RunEvent.TaskPaused lost when lost.reason().equals(Failure.RUNNER_LOST) ->
            gone(lost.attemptId(), at);
        case RunEvent.StateChange _,
            RunEvent.Output _,
            RunEvent.Interaction _,
            RunEvent.Notice _ -> {}
      }
    }
  }

  private void gone(String attemptId, Instant at) {
    ScriptedAgent agent = agents.byAttempt().get(attemptId);
    boolean hindered =
        orphans.has(attemptId)
            || failures
                .caller(attemptId)
                .filter(caller -> caller.stoodStill(at.minus(LOOK_BACK), at))
                .isPresent();
    if (agent != null && !agent.leaves() && !hindered) {
      violations.add(
          new Violation("I4", "%s is taken for dead and has an agent".formatted(attemptId)));
    }
  }

  List<Violation> violations() {
    return List.copyOf(violations);
  }
}
