package dev.runyard.core.attempt;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.queue.Ticket;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.run.Limits;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One attempt at one run, from the queue message to the deleted message: claim, start, write what
/// the agent tells, obey what others append, report the end. It does one step at a time and never
/// waits, so that a runner drives it with a thread and a simulation with a seed. Not thread-safe.
public final class AttemptLoop {
  /// Events taken from the agent ahead of the log at most; beyond, the agent waits.
  static final int BACKLOG_EVENTS_MAX = 4 * AttemptLog.CHUNK_EVENTS_MAX;

  private static final Duration RETRY = Duration.ofMillis(200);

  /// Without the log for this long the agent is ended, while nobody else may have started another.
  private static final Duration LOG_SILENCE_MAX =
      Duration.ofSeconds(Limits.SILENT_SECONDS - Limits.STOP_SECONDS);

  private final RunLog runs;
  private final RunQueue queue;
  private final AgentLauncher launcher;
  private final AttemptTiming timing;
  private final Ticket ticket;
  private final String attemptId;
  private final String runner;

  private Phase phase = Phase.CLAIM;
  private Instant reachedAt;
  private Instant loggedAt;
  private Instant retryAt;
  private Instant extendAt;
  private Instant lookAt;
  private Duration lookPause;
  private @Nullable AttemptLog log;
  private @Nullable AgentHandle agent;
  private AgentSignal.@Nullable Ended ended;
  private @Nullable Failure stopped;
  private Step.Verdict leaveAs = Step.Verdict.FENCED;
  private boolean agentGone;
  private boolean draining;

  public AttemptLoop(
      RunLog runs,
      RunQueue queue,
      AgentLauncher launcher,
      AttemptTiming timing,
      Ticket ticket,
      String attemptId,
      String runner,
      Instant now) {
    this.runs = runs;
    this.queue = queue;
    this.launcher = launcher;
    this.timing = timing;
    this.ticket = ticket;
    this.attemptId = attemptId;
    this.runner = runner;
    this.reachedAt = now;
    this.loggedAt = now;
    this.retryAt = now;
    this.extendAt = now.plus(third());
    this.lookAt = now;
    this.lookPause = timing.tailMin();
  }

  private enum Phase {
    CLAIM,
    START,
    RUN,
    END,
    DELETE,
    LEAVE
  }

  /// Asks the agent to end because its runner stops; the attempt ends as `runner_stopped`.
  public void drain() {
    draining = true;
  }

  public Step step(Instant now) {
    if (now.isBefore(retryAt)) {
      return new Step.Pause(retryAt);
    }
    try {
      extendLease(now);
      return switch (phase) {
        case CLAIM -> claim(now);
        case START -> start(now);
        case RUN -> run(now);
        case END -> end(now);
        case DELETE -> delete(Step.Verdict.ENDED);
        case LEAVE -> leave(now);
      };
    } catch (PortUnavailable _) {
      return unreachable(now);
    }
  }

  private Step unreachable(Instant now) {
    boolean cutOff =
        Duration.between(reachedAt, now).compareTo(timing.lease()) >= 0
            || Duration.between(loggedAt, now).compareTo(LOG_SILENCE_MAX) >= 0;
    if (cutOff) {
      return abandon(Step.Verdict.CUT_OFF, now);
    }
    if (phase == Phase.RUN) {
      obey(now);
    }
    retryAt = now.plus(RETRY);
    return new Step.Pause(retryAt);
  }

  /// Ends the agent and writes nothing more.
  private Step abandon(Step.Verdict verdict, Instant now) {
    if (agent == null || agentGone) {
      return new Step.Over(verdict);
    }
    agent.stop();
    leaveAs = verdict;
    phase = Phase.LEAVE;
    return new Step.Again(now);
  }

  private Duration third() {
    return timing.lease().dividedBy(3);
  }

  private void extendLease(Instant now) {
    if (phase != Phase.CLAIM && phase != Phase.LEAVE && !now.isBefore(extendAt)) {
      extendAt = now.plus(RETRY);
      try {
        queue.extend(ticket, (int) timing.lease().toSeconds());
        extendAt = now.plus(third());
        reachedAt = now;
      } catch (PortUnavailable _) {
        return;
      }
    }
  }

  private Step claim(Instant now) {
    if (draining) {
      queue.extend(ticket, 0);
      return new Step.Over(Step.Verdict.DEFERRED);
    }
    RunCommand claim = new RunCommand.Claim(attemptId, runner, ticket.messageId(), now);
    RunLog.Outcome outcome = runs.execute(ticket.run(), claim);
    logged(now);
    return switch (outcome) {
      case RunLog.Outcome.Done done -> claimed(done.state(), now);
      case RunLog.Outcome.Unchanged unchanged -> claimed(unchanged.state(), now);
      case RunLog.Outcome.Refused _ -> delete(Step.Verdict.NOT_NEEDED);
      case RunLog.Outcome.Deferred _ -> {
        queue.extend(ticket, Limits.ALIVE_SECONDS);
        yield new Step.Over(Step.Verdict.DEFERRED);
      }
    };
  }

  private Step claimed(RunState state, Instant now) {
    boolean mine =
        switch (state) {
          case RunState.InProgress run -> run.attempt().id().equals(attemptId);
          case RunState.Cancelling run -> run.attempt().id().equals(attemptId);
          case RunState.Absent _,
              RunState.Created _,
              RunState.Retrying _,
              RunState.CancellingIdle _,
              RunState.Closed _ ->
              false;
        };
    if (!mine) {
      return delete(Step.Verdict.NOT_NEEDED);
    }
    log = new AttemptLog(runs, ticket.run(), attemptId, (RunState.Existing) state);
    phase = Phase.START;
    return new Step.Again(now);
  }

  private Step start(Instant now) {
    AttemptLog at = log();
    if (at.pending() == 0 && at.state() instanceof RunState.InProgress run && !draining) {
      at.add(new RunEvent.TurnStarted(run.attempt().number()), now);
      at.add(new RunEvent.ProcessStarted(processId(), launcher.program(run.facts())), now);
    }
    at.flush();
    logged(now);
    if (at.fenced()) {
      return new Step.Over(Step.Verdict.FENCED);
    }
    if (at.state() instanceof RunState.InProgress run && started(run)) {
      agent = launcher.launch(run.facts(), run.attempt());
      lookAt = now.plus(timing.tailMin());
      phase = Phase.RUN;
      return new Step.Again(now);
    }
    Failure why = at.state() instanceof RunState.Cancelling ? cancelled() : runnerStopped();
    ended = new AgentSignal.Ended(Optional.empty(), 0, Optional.of(why), 0);
    phase = Phase.END;
    return new Step.Again(now);
  }

  private static boolean started(RunState.InProgress run) {
    return run.attempt().stage() == Attempt.Stage.RUNNING;
  }

  private Step run(Instant now) {
    AttemptLog at = log();
    for (AgentSignal signal : agent().take(BACKLOG_EVENTS_MAX - at.pending())) {
      switch (signal) {
        case AgentSignal.Output output -> at.add(output.event(), now);
        case AgentSignal.Ended end -> {
          ended = end;
          agentGone = true;
        }
      }
    }
    if (ended != null) {
      phase = Phase.END;
      return end(now);
    }
    Instant due = at.dueAt(timing.flush());
    if (due != null && !due.isAfter(now)) {
      at.flush();
      looked(now, lookPause);
    } else if (!lookAt.isAfter(now)) {
      long before = at.state().sequence();
      at.catchUp();
      looked(now, at.state().sequence() > before ? timing.tailMin() : lookPause.multipliedBy(2));
    } else if (!heartbeatAt().isAfter(now) && at.pending() == 0) {
      at.add(new RunEvent.RunStatus(at.state().phase()), now);
      at.flush();
      looked(now, lookPause);
    }
    if (at.fenced()) {
      return abandon(Step.Verdict.FENCED, now);
    }
    obey(now);
    return new Step.Again(wakeAt(now));
  }

  /// The log was just written or read: the next look is a pause away.
  private void looked(Instant now, Duration pause) {
    logged(now);
    lookPause = pause.compareTo(timing.tailMax()) > 0 ? timing.tailMax() : pause;
    lookAt = now.plus(lookPause);
  }

  private void logged(Instant now) {
    reachedAt = now;
    loggedAt = now;
  }

  private Instant heartbeatAt() {
    return log().state().facts().at().plusSeconds(Limits.HEARTBEAT_SECONDS);
  }

  private void obey(Instant now) {
    AttemptLog at = log();
    if (at.state() instanceof RunState.Cancelling) {
      stop(cancelled());
    } else if (!now.isBefore(at.state().facts().stopAt(startedAt()))) {
      stop(
          new Failure(
              Failure.TIMED_OUT,
              Category.CALLER,
              "The run took longer than its timeout. Raise timeout_seconds or ask for less."));
    } else if (draining) {
      stop(runnerStopped());
    }
  }

  private void stop(Failure why) {
    if (stopped == null) {
      stopped = why;
      agent().stop();
    }
  }

  private Instant startedAt() {
    Instant started = log().state().facts().startedAt();
    return started == null ? log().state().facts().createdAt() : started;
  }

  private Instant wakeAt(Instant now) {
    Instant due = log().dueAt(timing.flush());
    Instant wake = earlier(earlier(lookAt, extendAt), due == null ? heartbeatAt() : due);
    return wake.isBefore(now) ? now : wake;
  }

  private static Instant earlier(Instant a, Instant b) {
    return a.isBefore(b) ? a : b;
  }

  /// Writes the rest of the output and the attempt's end in one go, then gives the message back.
  private Step end(Instant now) {
    AttemptLog at = log();
    AgentSignal.Ended end = ended;
    if (end != null) {
      report(at, end, now);
      ended = null;
    }
    at.flush();
    logged(now);
    if (at.fenced()) {
      return new Step.Over(Step.Verdict.FENCED);
    }
    phase = Phase.DELETE;
    return delete(Step.Verdict.ENDED);
  }

  private void report(AttemptLog at, AgentSignal.Ended end, Instant now) {
    Failure failure = stopped == null ? end.failure().orElse(null) : stopped;
    if (stopped != null) {
      at.add(new RunEvent.ProcessTerminated(processId(), stopped.code(), end.processesLeft()), now);
    }
    if (end.exit().isPresent()) {
      at.add(
          new RunEvent.ProcessCompleted(
              processId(),
              end.exit().get().code(),
              end.exit().get().signal(),
              end.durationMillis()),
          now);
    } else if (agent != null && failure != null) {
      at.add(new RunEvent.ProcessFailed(processId(), failure), now);
    }
    int number = at.state().facts().attempts();
    at.add(
        failure == null
            ? new RunEvent.AttemptCompleted(number, attemptId)
            : new RunEvent.AttemptFailed(number, attemptId, failure),
        now);
  }

  private Step delete(Step.Verdict verdict) {
    queue.delete(ticket);
    return new Step.Over(verdict);
  }

  /// The agent is being ended and nothing may be written any more; waits for its end.
  private Step leave(Instant now) {
    List<AgentSignal> signals = agent().take(BACKLOG_EVENTS_MAX);
    agentGone |= signals.stream().anyMatch(AgentSignal.Ended.class::isInstance);
    return agentGone ? new Step.Over(leaveAs) : new Step.Again(now.plus(RETRY));
  }

  private static Failure cancelled() {
    return new Failure(Failure.CANCELLED, Category.CALLER, "cancelled");
  }

  private static Failure runnerStopped() {
    return new Failure(
        Failure.RUNNER_STOPPED,
        Category.CAPACITY,
        "The runner was stopped while the agent ran. Check what the agent had done, then submit"
            + " again.");
  }

  private String processId() {
    return "process-" + attemptId;
  }

  private AttemptLog log() {
    if (log == null) {
      throw new IllegalStateException("not claimed yet");
    }
    return log;
  }

  private AgentHandle agent() {
    if (agent == null) {
      throw new IllegalStateException("not started yet");
    }
    return agent;
  }
}
