package dev.runyard.core.attempt;

import dev.runyard.core.action.Action;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.queue.Ticket;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.run.Journal;
import dev.runyard.core.run.Limits;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One attempt at one run, from the queue message to the deleted message: claim, start, write what
/// the agent tells, obey what others append, report the end. It does one step at a time and never
/// waits, so that a runner drives it with a thread and a simulation with a seed. Not thread-safe.
public final class AttemptLoop {
  /// Events taken from the agent ahead of the log at most; beyond, the agent waits.
  static final int BACKLOG_EVENTS_MAX = 4 * AttemptLog.CHUNK_EVENTS_MAX;

  /// Text taken ahead of the log at most, give or take what was taken at once.
  static final int BACKLOG_BYTES_MAX = 4 * 1024 * 1024;

  private static final Duration LEAVE_PAUSE = Duration.ofMillis(200);

  private final RunLog runs;
  private final RunQueue queue;
  private final AgentLauncher launcher;
  private final AttemptTiming timing;
  private final Ticket ticket;
  private final String attemptId;
  private final String runner;
  private final AttemptTimers timers;

  private Phase phase = Phase.CLAIM;
  private @Nullable AttemptLog log;
  private @Nullable AttemptWatch watch;
  private @Nullable AgentHandle agent;
  private AgentSignal.@Nullable Ended ended;
  private @Nullable Failure stopped;
  private Step.Verdict leaveAs = Step.Verdict.FENCED;
  private final Asking asking = new Asking();
  private final Mail mail = new Mail();
  private boolean interactive;
  private boolean pausing;
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
    this.timers = new AttemptTimers(timing, now);
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
    if (timers.step(now) && log != null) {
      log.rewind(now);
      watch().active(now);
    }
    if (now.isBefore(timers.retryAt())) {
      return new Step.Pause(timers.retryAt());
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
    if (timers.cutOff(now)) {
      return abandon(Step.Verdict.CUT_OFF, now);
    }
    if (draining && phase == Phase.CLAIM) {
      return new Step.Over(Step.Verdict.DEFERRED);
    }
    if (phase == Phase.RUN) {
      watch().active(now);
      obey(now, false);
    }
    timers.failed(now);
    return new Step.Pause(timers.retryAt());
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

  private void extendLease(Instant now) {
    if (phase != Phase.CLAIM && phase != Phase.LEAVE && timers.extendDue(now)) {
      try {
        queue.extend(ticket, (int) timing.lease().toSeconds());
        timers.extended(now);
      } catch (PortUnavailable _) {
        timers.notExtended(now);
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
    timers.wrote(now);
    return switch (outcome) {
      case RunLog.Outcome.Done done -> {
        endLost(done);
        yield claimed(done.state(), now);
      }
      case RunLog.Outcome.Unchanged unchanged -> claimed(unchanged.state(), now);
      case RunLog.Outcome.Refused _ -> delete(Step.Verdict.NOT_NEEDED);
      case RunLog.Outcome.Deferred _ -> {
        queue.extend(ticket, Limits.ALIVE_SECONDS);
        yield new Step.Over(Step.Verdict.DEFERRED);
      }
    };
  }

  private void endLost(RunLog.Outcome.Done claim) {
    for (StoredEvent stored : claim.appended()) {
      if (stored.event() instanceof RunEvent.AttemptFailed lost) {
        launcher.endLost(ticket.run(), lost.attemptId());
      }
    }
  }

  private Step claimed(RunState state, Instant now) {
    if (!AttemptLog.isOpenFor(attemptId, state)) {
      return delete(Step.Verdict.NOT_NEEDED);
    }
    RunState.Existing existing = (RunState.Existing) state;
    log = new AttemptLog(runs, ticket.run(), attemptId, existing);
    watch = new AttemptWatch(existing.facts(), now);
    phase = Phase.START;
    return new Step.Again(now);
  }

  private Step start(Instant now) {
    AttemptLog at = log();
    if (at.pending() == 0 && at.state() instanceof RunState.InProgress run && !draining) {
      at.add(new RunEvent.TurnStarted(run.attempt().number()), now);
      at.add(
          new RunEvent.ProcessStarted(processId(), launcher.prepare(run.facts(), run.attempt())),
          now);
    }
    at.flush();
    timers.wrote(now);
    if (at.fenced()) {
      return new Step.Over(Step.Verdict.FENCED);
    }
    if (at.state() instanceof RunState.InProgress run
        && run.attempt().stage() == Attempt.Stage.RUNNING) {
      agent = launcher.launch(run.facts(), run.attempt());
      interactive = launcher.interactive(run.facts());
      watch().active(now);
      phase = Phase.RUN;
      return new Step.Again(now);
    }
    Failure why =
        at.state() instanceof RunState.Cancelling
            ? AttemptEnd.cancelled()
            : AttemptEnd.runnerStopped();
    ended = new AgentSignal.Ended(Optional.empty(), 0, Optional.of(why), 0);
    phase = Phase.END;
    return new Step.Again(now);
  }

  private Step run(Instant now) {
    AttemptLog at = log();
    boolean late = watch().timeOver(at.state(), now);
    int room = room(at);
    if (room == 0) {
      watch().active(now);
    }
    for (AgentSignal signal : agent().take(room)) {
      watch().told(signal, now);
      switch (signal) {
        case AgentSignal.Output output -> at.add(output.event(), now);
        case AgentSignal.Asked asked ->
            asking
                .ask(asked.question(), at.state().facts(), interactive, now)
                .forEach(event -> at.add(event, now));
        case AgentSignal.Took took -> at.add(Mail.taken(took, processId()), now);
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
      timers.wrote(now);
    } else if (timers.lookDue(now)) {
      timers.looked(now, at.look());
    } else if (timers.heartbeatDue(now) && at.pending() == 0) {
      at.add(new RunEvent.RunStatus(at.state().phase()), now);
      at.flush();
      timers.wrote(now);
    }
    if (at.fenced()) {
      return abandon(Step.Verdict.FENCED, now);
    }
    obey(now, late);
    if (stopped == null && !pausing) {
      mail.hand(at.state(), agent());
      await(at, now);
    }
    return new Step.Again(timers.wakeAt(now, at.dueAt(timing.flush())));
  }

  private static int room(AttemptLog log) {
    return log.pendingBytes() < BACKLOG_BYTES_MAX ? BACKLOG_EVENTS_MAX - log.pending() : 0;
  }

  /// Sees to what a person was asked and has not decided: its time, and the place it takes.
  private void await(AttemptLog at, Instant now) {
    if (!(at.state() instanceof RunState.Awaiting run) || at.pending() > 0) {
      return;
    }
    Journal journal = run.facts().journal();
    Action first = journal.firstToExpire().orElseThrow();
    if (!now.isBefore(first.expiresAt())) {
      if (first.actionType().timeoutDenies()) {
        at.expire(first, now);
        timers.wrote(now);
      } else {
        stop(Failure.notAnswered());
      }
    } else if (watch().quietFor(timing.awaitGrace(), journal, now) && agent().canPause()) {
      pause();
    }
  }

  private void pause() {
    if (!pausing && stopped == null) {
      pausing = true;
      agent().pause();
    }
  }

  /// Stops the agent that is to stop; `late` when its time was over before what it asks now.
  private void obey(Instant now, boolean late) {
    AttemptLog at = log();
    Optional<Failure> crossed = watch().crossed(at.state(), now);
    if (at.state() instanceof RunState.Cancelling) {
      stop(AttemptEnd.cancelled());
    } else if (late || watch().timeOver(at.state(), now)) {
      stop(AttemptEnd.timedOut());
    } else if (crossed.isPresent()) {
      stop(crossed.get());
    } else if (draining && at.state() instanceof RunState.Awaiting && agent().canPause()) {
      pause();
    } else if (draining) {
      stop(AttemptEnd.runnerStopped());
    }
  }

  private void stop(Failure why) {
    if (stopped == null) {
      stopped = why;
      pausing = false;
      agent().stop();
    }
  }

  /// Writes the rest of the output and the attempt's end in one go, then gives the message back.
  private Step end(Instant now) {
    AttemptLog at = log();
    AgentSignal.Ended end = ended;
    if (end != null) {
      keep(at, now);
      new AttemptEnd(attemptId, processId(), agent != null, pausing, Optional.ofNullable(stopped))
          .events(judged(end), at.state().facts().attempts())
          .forEach(event -> at.add(event, now));
      ended = null;
    }
    at.flush();
    timers.wrote(now);
    if (at.fenced()) {
      return new Step.Over(Step.Verdict.FENCED);
    }
    phase = Phase.DELETE;
    return delete(Step.Verdict.ENDED);
  }

  /// The end of an agent that was ready before it could be stopped, and had crossed a bound.
  private AgentSignal.Ended judged(AgentSignal.Ended end) {
    return stopped == null && !pausing && end.failure().isEmpty()
        ? new AgentSignal.Ended(
            end.exit(), end.durationMillis(), watch().spent(), end.processesLeft())
        : end;
  }

  /// An agent that works for nobody any more leaves nothing behind.
  private void keep(AttemptLog at, Instant now) {
    if (agent != null) {
      launcher.keep(() -> ours(at, now)).ifPresent(event -> at.add(event, now));
    }
  }

  private boolean ours(AttemptLog at, Instant now) {
    timers.looked(now, at.look());
    return !at.fenced();
  }

  private Step delete(Step.Verdict verdict) {
    queue.delete(ticket);
    return new Step.Over(verdict);
  }

  /// The agent is being ended and nothing may be written any more; waits for its end.
  private Step leave(Instant now) {
    List<AgentSignal> signals = agent().take(BACKLOG_EVENTS_MAX);
    agentGone |= signals.stream().anyMatch(AgentSignal.Ended.class::isInstance);
    return agentGone ? new Step.Over(leaveAs) : new Step.Again(now.plus(LEAVE_PAUSE));
  }

  private String processId() {
    return "process-" + attemptId;
  }

  private AttemptLog log() {
    return Objects.requireNonNull(log, "not claimed yet");
  }

  private AttemptWatch watch() {
    return Objects.requireNonNull(watch, "not claimed yet");
  }

  private AgentHandle agent() {
    return Objects.requireNonNull(agent, "not started yet");
  }
}
