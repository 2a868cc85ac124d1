package dev.runyard.simulator;

import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.log.Chunk;
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
import org.jspecify.annotations.Nullable;

/// Asks of every run that did not complete why: a fault that befell it, or what its scenario wants.
/// A run that fails for no such reason is a violation, and so is one that its retry policy allowed
/// another try.
final class FailureOracle {
  /// How long before an attempt is lost its runner must have been silenced, and for how long in
  /// all.
  private static final Duration LOOK_BACK = Duration.ofSeconds(Limits.SILENT_SECONDS + 60L);

  private static final Duration SILENCE_MIN = Duration.ofSeconds(8);
  private static final Duration SKEW_MAX = Duration.ofSeconds(Limits.CLOCK_SKEW_SECONDS_MAX);
  private static final Duration SPAWN_LATE_MAX = Duration.ofSeconds(5);

  /// An agent that is given less time than this may need more.
  private static final int LONG_TIMEOUT_SECONDS = 60;

  /// What an agent takes at most for one thing it does, and its runner to hear of it.
  private static final Duration PACE_MAX = Duration.ofSeconds(5);

  private final Faults faults;
  private final ScriptedAgents agents;
  private final AttemptHits attempts;
  private final StoreOracle stores;
  private final FleetOracle fleet;
  private final Map<String, Instant> claimed = new HashMap<>();
  private final Map<String, Instant> spawned = new HashMap<>();
  private final List<Violation> violations = new ArrayList<>();

  FailureOracle(
      Faults faults,
      ScriptedAgents agents,
      AttemptHits attempts,
      StoreOracle stores,
      FleetOracle fleet) {
    this.faults = faults;
    this.agents = agents;
    this.attempts = attempts;
    this.stores = stores;
    this.fleet = fleet;
  }

  /// An agent process was started.
  void started(String attemptId, Instant at) {
    spawned.put(attemptId, at);
  }

  /// Something was appended at that time.
  void appended(Chunk chunk, Instant at) {
    for (StoredEvent stored : chunk.events(EventCodec.RUNS)) {
      if (stored.event() instanceof RunEvent.AttemptStarted started) {
        claimed.put(started.attemptId(), at);
      }
    }
  }

  /// @param cancelled whether a client ever wanted the run cancelled
  List<Violation> check(List<StoredEvent> events, RunState.Existing end, boolean cancelled) {
    violations.clear();
    RunKey run = end.facts().run();
    lost(run, events);
    spawns(run, events);
    RetryOracle.check(events, end)
        .forEach(wrong -> expect(false, run, wrong + ": " + story(events)));
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
          case Failure.TIMED_OUT -> timedOut(run, events, end);
          case Failure.AWAIT_TIMED_OUT -> !endsByItself(run);
          case Failure.IDLE_TIMEOUT -> waits(run, events, end) || idled(end);
          case Failure.MAX_TURNS_REACHED, Failure.MAX_TOKENS_REACHED, Failure.MAX_COST_REACHED ->
              !request.bounds().equals(RunBounds.NONE);
          case Failure.RUNNER_LOST -> refused(end) || lastLost(events, end);
          case Failure.RUNNER_STOPPED -> lastStopped(events) || !inTime(end);
          case Failure.RUNNER_START_FAILED -> fleet.failedBefore(run);
          case Failure.NOT_STARTED -> fleet.full() && waited(events, end.finishedAt());
          default -> end.attempt().filter(a -> stores.unkept(code, a.id())).isPresent();
        };
    intended = intended || RightsOracle.explains(faults, code, end.finishedAt());
    intended |= code.equals(Failure.WORKSPACE_NOT_KEPT) && lostBefore(events);
    expect(intended, run, "%s for no reason: %s".formatted(code, story(events)));
  }

  /// True if an attempt was lost. What it was still keeping goes before what a later one keeps.
  private static boolean lostBefore(List<StoredEvent> events) {
    return events.stream()
        .map(StoredEvent::event)
        .anyMatch(
            event ->
                event instanceof RunEvent.AttemptFailed failed
                    && failed.error().code().equals(Failure.RUNNER_LOST));
  }

  /// Whose agent was not started; [StoreOracle] asks why.
  private boolean refused(RunState.Failed end) {
    return end.attempt().filter(a -> agents.refused().containsKey(a.id())).isPresent();
  }

  /// True when there was time for another try.
  private static boolean inTime(RunState.Failed end) {
    Instant deadline = end.facts().deadline();
    return deadline == null || end.finishedAt().isBefore(deadline);
  }

  private boolean byScript(RunState.Failed end) {
    return end.attempt()
        .map(attempt -> agents.byAttempt().get(attempt.id()))
        .filter(ScriptedAgent::failedByScript)
        .isPresent();
  }

  /// True when no runner took it for as long as a run waits at most, since its turn came.
  private static boolean waited(List<StoredEvent> events, Instant end) {
    Instant since = end;
    boolean behind = true;
    for (StoredEvent stored : events) {
      if (stored.event() instanceof RunEvent.TaskQueued queued) {
        since = behind ? stored.timestamp() : since;
        behind = queued.behind() != null;
      } else if (stored.event() instanceof RunEvent.AttemptStarted) {
        behind = true;
      }
    }
    return !behind && !since.plusSeconds(Limits.QUEUED_SECONDS_MAX).minus(SKEW_MAX).isAfter(end);
  }

  /// True if its agent waits for people, and was given what they said.
  private boolean waits(RunKey run, List<StoredEvent> events, RunState.Failed end) {
    Duration held = end.attempt().map(a -> attempts.heldUp(a.id())).orElse(Duration.ZERO);
    boolean skewed = faults.kinds().contains(Fault.SKEW);
    return !endsByItself(run)
        && !Unheard.any(events, asks(end), skewed ? held.plus(SKEW_MAX) : held);
  }

  /// True if its last agent waits for a decision, and not for a message.
  private boolean asks(RunState.Failed end) {
    return end.attempt()
        .map(attempt -> agents.byAttempt().get(attempt.id()))
        .filter(ScriptedAgent::asks)
        .isPresent();
  }

  private boolean endsByItself(RunKey run) {
    return agents.scripts(run).stream().allMatch(AgentScript::endsByItself);
  }

  /// True if its last attempt was held up for as long as the agent may be silent.
  private boolean idled(RunState.Failed end) {
    Integer named = end.facts().request().bounds().idleTimeoutSeconds();
    Duration silent =
        Duration.ofSeconds(named == null ? Limits.IDLE_SECONDS_DEFAULT : named).minus(PACE_MAX);
    return end.attempt().filter(a -> attempts.heldUp(a.id()).compareTo(silent) >= 0).isPresent();
  }

  /// When the attempt was claimed that began the run's time: not one that its runner gave back, or
  /// was lost with, before the agent was started.
  private @Nullable Instant begun(List<StoredEvent> events) {
    Instant claimed = null;
    boolean process = false;
    for (StoredEvent stored : events) {
      switch (stored.event()) {
        case RunEvent.AttemptStarted _ -> {
          claimed = claimed == null ? stored.timestamp() : claimed;
          process = false;
        }
        case RunEvent.ProcessStarted _ -> process = true;
        case RunEvent.AttemptEnd end -> {
          if (!gaveBack(end, process)) {
            return claimed;
          }
          claimed = null;
        }
        case RunEvent.StateChange _,
            RunEvent.Output _,
            RunEvent.Interaction _,
            RunEvent.Notice _ -> {}
      }
    }
    return claimed;
  }

  private boolean gaveBack(RunEvent.AttemptEnd end, boolean process) {
    if (!(end instanceof RunEvent.AttemptFailed failed)) {
      return false;
    }
    return switch (failed.error().code()) {
      case Failure.RUNNER_STOPPED -> !spawned.containsKey(failed.attemptId());
      case Failure.RUNNER_LOST -> !process;
      default -> false;
    };
  }

  /// A function that ends a run must allow for a runner whose clock says that there is time. A
  /// runner is right by its own, and the end of the run is told by another.
  private boolean timedOut(RunKey run, List<StoredEvent> log, RunState.Failed end) {
    Instant started = begun(log);
    int asked = end.facts().request().timeoutSeconds();
    int seconds = asked == 0 ? Limits.RUN_SECONDS_MAX : asked;
    if (started == null) {
      return false;
    }
    Duration ran = Duration.between(started, end.finishedAt());
    Duration least = Duration.ofSeconds(seconds);
    if (!stoppedByRunner(log)) {
      least = least.plus(SKEW_MAX);
    } else if (faults.kinds().contains(Fault.SKEW)) {
      least = least.minus(SKEW_MAX);
    }
    return ran.compareTo(least) >= 0
        && (seconds < LONG_TIMEOUT_SECONDS
            || waits(run, log, end)
            || faults.poisoned(run)
            || end.facts().attempts() > 1
            || (fleet.scarce() && isRetried(log))
            || attempts.died(run)
            || leftUnheard(log, end.finishedAt())
            || heldUp(run, log, end.finishedAt())
                    .compareTo(Duration.ofSeconds(seconds - LONG_TIMEOUT_SECONDS))
                >= 0);
  }

  private boolean leftUnheard(List<StoredEvent> log, Instant end) {
    LastAttempt last = LastAttempt.of(log);
    return last.unheard() && attempts.leftUnheard(last.id(), end);
  }

  /// For how long it was held up, at most: also by a message that was not sent, or by a runner
  /// whose clock says that the pause before another try is not over.
  private Duration heldUp(RunKey run, List<StoredEvent> log, Instant end) {
    boolean paused = faults.kinds().contains(Fault.SKEW) && isRetried(log);
    Instant latest = end.plus(SKEW_MAX);
    return attempts
        .heldUp(run, latest)
        .plus(faults.sends().unsent(run, claimed(log), latest))
        .plus(paused ? SKEW_MAX : Duration.ZERO);
  }

  /// When its last attempt began.
  private Instant claimed(List<StoredEvent> log) {
    return claimed.getOrDefault(LastAttempt.of(log).id(), Instant.MAX);
  }

  private static boolean stoppedByRunner(List<StoredEvent> events) {
    return events.stream()
        .anyMatch(
            stored ->
                stored.event() instanceof RunEvent.AttemptFailed failed
                    && failed.error().code().equals(Failure.TIMED_OUT));
  }

  /// True if it waited for another try, and so for a place that others may have had.
  private static boolean isRetried(List<StoredEvent> events) {
    return events.stream().anyMatch(stored -> stored.event() instanceof RunEvent.TaskRetrying);
  }

  /// Each attempt that was taken for lost had a runner that was silenced.
  private void lost(RunKey run, List<StoredEvent> events) {
    for (StoredEvent stored : events) {
      switch (stored.event()) {
        case RunEvent.AttemptFailed lost when lost.error().code().equals(Failure.RUNNER_LOST) ->
            expect(
                agents.refused().containsKey(lost.attemptId())
                    || silenced(lost.attemptId(), stored.timestamp()),
                run,
                "%s is lost for no reason, having met %s: %s"
                    .formatted(lost.attemptId(), met(lost.attemptId()), story(events)));
        case RunEvent.TaskPaused lost when lost.reason().equals(Failure.RUNNER_LOST) ->
            expect(
                silenced(lost.attemptId(), stored.timestamp()),
                run,
                "%s is lost for no reason, having met %s: %s"
                    .formatted(lost.attemptId(), met(lost.attemptId()), story(events)));
        case RunEvent.StateChange _,
            RunEvent.Output _,
            RunEvent.Interaction _,
            RunEvent.Notice _ -> {}
      }
    }
  }

  private boolean silenced(String attemptId, Instant at) {
    SimulatedCaller caller = attempts.caller(attemptId).orElse(null);
    if (caller == null) {
      return false;
    }
    Instant from = at.minus(LOOK_BACK).minus(SKEW_MAX);
    Instant to = at.plus(SKEW_MAX);
    Duration outages =
        faults.everybody().stream()
            .filter(hit -> hit.fault().silences())
            .map(hit -> hit.within(from, to))
            .reduce(Duration.ZERO, Duration::plus);
    return caller.hit(Fault.CRASH)
        || RightsOracle.explains(faults, Failure.RUNNER_LOST, at)
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
    LastAttempt last = LastAttempt.of(events);
    return last.began()
        && attempts.caller(last.id()).filter(caller -> caller.hit(Fault.DRAIN)).isPresent();
  }

  /// No agent is started for an attempt that was over before, unless its runner stood still.
  private void spawns(RunKey run, List<StoredEvent> events) {
    String current = "";
    Map<String, Instant> over = new HashMap<>();
    for (StoredEvent stored : events) {
      if (stored.event() instanceof RunEvent.AttemptStarted started) {
        over.put(current, claimed.getOrDefault(started.attemptId(), stored.timestamp()));
        current = started.attemptId();
      }
    }
    over.forEach(
        (attemptId, at) -> {
          Instant start = spawned.get(attemptId);
          SimulatedCaller caller = attempts.caller(attemptId).orElse(null);
          if (start != null && caller != null) {
            expect(
                !start.isAfter(at.plus(SPAWN_LATE_MAX).plus(caller.silenced(at, start))),
                run,
                "%s began its agent at %s, after %s: %s"
                    .formatted(attemptId, start, at, story(events)));
          }
        });
  }

  private String met(String attemptId) {
    return attempts.caller(attemptId).map(SimulatedCaller::toString).orElse("nothing");
  }

  private void expect(boolean holds, RunKey run, String detail) {
    if (!holds) {
      violations.add(
          new Violation(
              "cause",
              "%s %s; faults %s%s%s"
                  .formatted(
                      run.runId(),
                      detail,
                      faults.kinds(),
                      faults.missing().map(right -> "; missing " + right).orElse(""),
                      fleet)));
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
