package dev.runyard.simulator;

import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.log.Chunk;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Watches that an attempt has no agent any more which a function takes for dead because it was
/// silent, by whatever clock: its runner has ended it before, unless it could not. So an attempt
/// that was silent for half of that time writes no more.
final class LifeOracle {
  private static final Set<String> FUNCTIONS = Set.of(Planted.DRIVER, Planted.SWEEP);
  private static final Duration LOOK_BACK = Duration.ofMinutes(10);

  /// By when a runner that does not reach the log has ended its agent, if clocks are right.
  private static final Duration SILENCE_MAX =
      Duration.ofSeconds(Limits.SILENT_SECONDS / 2 - Limits.CLOCK_SKEW_SECONDS_MAX);

  private final ScriptedAgents agents;
  private final AttemptHits attempts;
  private final Orphans orphans;
  private final Duration silenceMax;
  private final Map<RunKey, Writes> open = new HashMap<>();
  private final List<Violation> violations = new ArrayList<>();

  /// When the open attempt of a run wrote last.
  private record Writes(String attemptId, String writer, Instant at) {}

  /// @param skewMax how far two clocks may differ
  LifeOracle(ScriptedAgents agents, AttemptHits attempts, Orphans orphans, Duration skewMax) {
    this.silenceMax = SILENCE_MAX.plus(skewMax);
    this.agents = agents;
    this.attempts = attempts;
    this.orphans = orphans;
  }

  /// Something was appended at that time.
  void appended(Chunk chunk, Instant at) {
    if (!(chunk.key() instanceof RunKey run)) {
      return;
    }
    List<RunEvent> events = chunk.events(EventCodec.RUNS).stream().map(StoredEvent::event).toList();
    List<String> lost =
        events.stream().flatMap(event -> SimulatedCaller.endedAsLost(event).stream()).toList();
    wrote(run, chunk.writer(), events, lost.isEmpty(), at);
    if (FUNCTIONS.contains(chunk.writer())) {
      lost.forEach(attemptId -> gone(attemptId, at));
    }
  }

  private void wrote(RunKey run, String writer, List<RunEvent> events, boolean alive, Instant at) {
    Writes before = open.get(run);
    if (alive && before != null && before.writer().equals(writer)) {
      again(before, at);
      open.put(run, new Writes(before.attemptId(), writer, at));
    }
    for (RunEvent event : events) {
      if (event instanceof RunEvent.AttemptStarted started) {
        open.put(run, new Writes(started.attemptId(), writer, at));
      } else if (event instanceof RunEvent.AttemptEnd) {
        open.remove(run);
      }
    }
  }

  private void again(Writes before, Instant at) {
    Duration silent = Duration.between(before.at(), at);
    if (silent.compareTo(silenceMax) >= 0 && !hindered(before.attemptId(), at)) {
      violations.add(
          new Violation("I4", "%s writes after %s".formatted(before.attemptId(), silent)));
    }
  }

  private boolean hindered(String attemptId, Instant at) {
    return orphans.has(attemptId)
        || attempts
            .caller(attemptId)
            .filter(caller -> caller.stoodStill(at.minus(LOOK_BACK), at))
            .isPresent();
  }

  private void gone(String attemptId, Instant at) {
    ScriptedAgent agent = agents.byAttempt().get(attemptId);
    if (agent != null && !agent.leaves() && !hindered(attemptId, at)) {
      violations.add(
          new Violation("I4", "%s is taken for dead and has an agent".formatted(attemptId)));
    }
  }

  List<Violation> violations() {
    return List.copyOf(violations);
  }
}
