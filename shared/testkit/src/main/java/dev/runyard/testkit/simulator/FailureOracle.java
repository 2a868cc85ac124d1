package dev.runyard.testkit.simulator;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.RunBounds;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.run.RunState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// Asks of every run that did not complete why: a fault that befell it, or what its scenario wants.
/// A run that fails for no such reason is a violation, and so is one that its retry policy allowed
/// another try.
final class FailureOracle {
  /// How long before an attempt is lost its runner must have been silenced, and for how long in
  /// all.
  private static final Duration LOOK_BACK = Duration.ofMinutes(6);

  private static final Duration SILENCE_MIN = Duration.ofSeconds(8);
  private static final Duration SKEW_MAX = Duration.ofMinutes(4);
  private static final Duration SPAWN_LATE_MAX = Duration.ofSeconds(5);

  /// An agent that is given less time than this may need more.
  private static final int LONG_TIMEOUT_SECONDS = 60;

  private final Faults faults;
  private final ScriptedAgents agents;
  private final Map<String, SimulatedCaller> callers = new HashMap<>();
  private final Map<String, Instant> spawned = new HashMap<>();
  private final List<Violation> violations = new ArrayList<>();

  FailureOracle(Faults faults, ScriptedAgents agents) {
    this.faults = faults;
    this.agents = agents;
  }

  void attempt(String attemptId, SimulatedCaller caller) {
    callers.put(attemptId, caller);
  }

  /// Whose attempt it was.
  Optional<SimulatedCaller> caller(String attemptId) {
    return Optional.ofNullable(callers.get(attemptId));
  }

  /// An agent process was started.
  void started(String attemptId, Instant at) {
    spawned.put(attemptId, at);
  }

  /// @param cancelled whether a client ever wanted the run cancelled
  List<Violation> check(List<StoredEvent> events, RunState.Existing end, boolean cancelled) {
    violations.clear();
    RunKey run = end.facts().run();
    attempts(run, events);
    spawns(run, events);
    switch (end) {
      case RunState.Failed failed -> failed(run, events, failed);
      case RunState.Cancelled _ -> expect(cancelled, run, "was cancelled by nobody");
      case RunState.Existing _ -> {}
    }
    return List.copyOf(violations);
  }

  private void failed(RunKey run, List<StoredEvent> events, RunState.Failed end) {
    String code = end.error().code();
    RunRequest request = end.facts().request();
    boolean intended =
        switch (code) {
          case "agent_failed" -> byScript(end);
          case Failure.TIMED_OUT -> timedOut(run, end);
          case Failure.AWAIT_TIMED_OUT -> !endsByItself(run);
          case Failure.IDLE_TIMEOUT -> !endsByItself(run) || disturbed(events);
          case Failure.MAX_TURNS_REACHED, Failure.MAX_TOKENS_REACHED, Failure.MAX_COST_REACHED ->
              !request.bounds().equals(RunBounds.NONE);
          case Failure.RUNNER_LOST -> lastLost(events, end);
          case Failure.RUNNER_STOPPED -> lastStopped(events) || !inTime(end);
          default -> false;
        };
    expect(intended, run, "%s for no reason: %s".formatted(code, story(events)));
    boolean retries = request.retry().allows(end.facts().tries(), code);
    boolean over =
        code.equals(Failure.TIMED_OUT) || code.startsWith("max_") || code.startsWith("await");
    expect(
        over || !retries || !inTime(end),
        run,
        "%s after %d of %d tries: %s"
            .formatted(code, end.facts().tries(), request.retry().maxAttempts(), story(events)));
  }

  /// True when there was time for another try.
  private static boolean inTime(RunState.Failed end) {
    Instant deadline = end.facts().deadline();
    return deadline == null || end.finishedAt().plus(SKEW_MAX).isBefore(deadline);
  }

  private boolean byScript(RunState.Failed end) {
    return end.attempt()
        .map(attempt -> agents.byAttempt().get(attempt.id()))
        .filter(ScriptedAgent::failedByScript)
        .isPresent();
  }

  private boolean endsByItself(RunKey run) {
    return agents.scripts(run).stream().allMatch(AgentScript::endsByItself);
  }

  private boolean timedOut(RunKey run, RunState.Failed end) {
    Instant started = end.facts().startedAt();
    int seconds = end.facts().request().timeoutSeconds();
    if (started == null || seconds == 0) {
      return false;
    }
    Duration ran = Duration.between(started, end.finishedAt());
    Duration least =
        Duration.ofSeconds(seconds)
            .minus(faults.kinds().contains(Fault.SKEW) ? SKEW_MAX : Duration.ZERO);
    return ran.compareTo(least) >= 0
        && (!faults.kinds().isEmpty() || seconds < LONG_TIMEOUT_SECONDS || !endsByItself(run));
  }

  /// True when something befell one of the run's attempts.
  private boolean disturbed(List<StoredEvent> events) {
    return events.stream()
        .map(StoredEvent::event)
        .filter(RunEvent.AttemptStarted.class::isInstance)
        .map(event -> callers.get(((RunEvent.AttemptStarted) event).attemptId()))
        .filter(Objects::nonNull)
        .anyMatch(
            caller ->
                !caller.silenced(Instant.MIN, Instant.MAX).isZero() || caller.hit(Fault.CRASH));
  }

  /// Each attempt that was taken for lost had a runner that was silenced.
  private void attempts(RunKey run, List<StoredEvent> events) {
    for (StoredEvent stored : events) {
      switch (stored.event()) {
        case RunEvent.AttemptFailed lost when lost.error().code().equals(Failure.RUNNER_LOST) ->
            expect(
                silenced(lost.attemptId(), stored.timestamp()),
                run,
                "%s is lost for no reason, having met %s: %s"
                    .formatted(lost.attemptId(), callers.get(lost.attemptId()), story(events)));
        case RunEvent.TaskPaused lost when lost.reason().equals(Failure.RUNNER_LOST) ->
            expect(
                silenced(lost.attemptId(), stored.timestamp()),
                run,
                "%s is lost for no reason, having met %s: %s"
                    .formatted(lost.attemptId(), callers.get(lost.attemptId()), story(events)));
        case RunEvent.StateChange _,
            RunEvent.Output _,
            RunEvent.Interaction _,
            RunEvent.Notice _ -> {}
      }
    }
  }

  private boolean silenced(String attemptId, Instant at) {
    SimulatedCaller caller = callers.get(attemptId);
    if (caller == null) {
      return false;
    }
    Instant from = at.minus(LOOK_BACK);
    Instant to = at.plus(SKEW_MAX);
    Duration outages =
        faults.everybody().stream()
            .filter(hit -> hit.fault().silences())
            .map(hit -> hit.within(from, to))
            .reduce(Duration.ZERO, Duration::plus);
    return caller.hit(Fault.CRASH)
        || caller.silenced(from, to).plus(outages).compareTo(SILENCE_MIN) >= 0;
  }

  /// The run may end long after its attempt was lost.
  private boolean lastLost(List<StoredEvent> events, RunState.Failed end) {
    Instant lost = end.finishedAt();
    for (StoredEvent stored : events) {
      if (stored.event() instanceof RunEvent.AttemptFailed) {
        lost = stored.timestamp();
      }
    }
    return end.attempt().isPresent() && silenced(end.attempt().get().id(), lost);
  }

  /// A runner that stops may end only what the log says it had started.
  private boolean lastStopped(List<StoredEvent> events) {
    String current = "";
    boolean began = false;
    for (StoredEvent stored : events) {
      switch (stored.event()) {
        case RunEvent.AttemptStarted started -> {
          current = started.attemptId();
          began = false;
        }
        case RunEvent.ProcessStarted _ -> began = true;
        case RunEvent.StateChange _,
            RunEvent.Output _,
            RunEvent.Interaction _,
            RunEvent.Notice _ -> {}
      }
    }
    SimulatedCaller caller = callers.get(current);
    return began && caller != null && caller.hit(Fault.DRAIN);
  }

  /// No agent is started for an attempt that was over before, unless its runner stood still.
  private void spawns(RunKey run, List<StoredEvent> events) {
    String current = "";
    Map<String, Instant> over = new HashMap<>();
    for (StoredEvent stored : events) {
      if (stored.event() instanceof RunEvent.AttemptStarted started) {
        over.put(current, stored.timestamp());
        current = started.attemptId();
      }
    }
    over.forEach(
        (attemptId, at) -> {
          Instant start = spawned.get(attemptId);
          SimulatedCaller caller = callers.get(attemptId);
          if (start != null && caller != null && !faults.kinds().contains(Fault.SKEW)) {
            expect(
                !start.isAfter(at.plus(SPAWN_LATE_MAX).plus(caller.silenced(at, start))),
                run,
                "%s began its agent at %s, after %s: %s"
                    .formatted(attemptId, start, at, story(events)));
          }
        });
  }

  private void expect(boolean holds, RunKey run, String detail) {
    if (!holds) {
      violations.add(
          new Violation(
              "cause", "%s %s; faults %s".formatted(run.runId(), detail, faults.kinds())));
    }
  }

  /// What happened, but for output and heartbeats.
  private static List<String> story(List<StoredEvent> events) {
    return events.stream()
        .filter(stored -> !(stored.event() instanceof RunEvent.ModelDelta))
        .filter(stored -> !(stored.event() instanceof RunEvent.RunStatus))
        .filter(stored -> !(stored.event() instanceof RunEvent.CostRecorded))
        .filter(stored -> !(stored.event() instanceof RunEvent.ModelCompleted))
        .map(stored -> stored.timestamp().toString().substring(11) + " " + stored.type())
        .toList();
  }
}
