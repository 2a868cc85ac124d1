package dev.runyard.core.attempt;

import dev.runyard.core.interaction.Action;
import dev.runyard.core.interaction.Interactions;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.problem.LogAhead;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.run.RunState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One attempt at one run, from receiving the queue message to deleting it: claim, start, write the
/// agent's events, obey what others append, report the end. It does one step at a time and never
/// waits, so that a thread or a simulation can drive it. Not thread-safe.
public final class AttemptLoop {
  private static final Duration LEAVE_PAUSE = Duration.ofMillis(200);

  private final AttemptPorts ports;
  private final SharedLook look;
  private final AttemptLease lease;
  private final AgentLauncher launcher;
  private final AttemptTiming timing;
  private final AttemptClaim claim;
  private final AttemptTimers timers;
  private final AttemptClaiming claiming;

  private Phase phase = Phase.CLAIM;
  private @Nullable AttemptLog log;
  private @Nullable AttemptWatch watch;
  private @Nullable AttemptOpening opening;
  private @Nullable AttemptClosing closing;
  private @Nullable AgentHandle agent;
  private AgentSignal.@Nullable Ended ended;
  private final AttemptStop stop = new AttemptStop();
  private Step.Verdict verdict = Step.Verdict.ENDED;
  private RunLog.Outcome.@Nullable Deferred deferred;
  private final ActionRequests asking = new ActionRequests();
  private final InboxDelivery mail = new InboxDelivery();
  private boolean started;
  private boolean interactive;
  private final AttemptPause pauses = new AttemptPause();
  private boolean agentGone;
  private boolean draining;

  /// @param share of the attempts of the same runner
  public AttemptLoop(
      AttemptPorts ports,
      RunnerShare share,
      AgentLauncher launcher,
      AttemptTiming timing,
      AttemptClaim claim,
      Instant now) {
    this.ports = ports;
    this.look = share.look();
    this.launcher = launcher;
    this.timing = timing;
    this.claim = claim;
    this.timers = new AttemptTimers(timing, look.seen(), now);
    this.claiming = new AttemptClaiming(ports.runs(), launcher, claim);
    this.lease = new AttemptLease(ports.queue(), claim.ticket(), share.leases(), timers, now);
  }

  private enum Phase {
    CLAIM,
    DEFER,
    OPEN,
    RUN,
    CLOSE,
    END,
    DELETE,
    LEAVE
  }

  /// Asks the agent to end because its runner stops; the attempt ends as `runner_stopped`, or is
  /// handed back if no agent was started.
  public void drain() {
    draining = true;
  }

  /// The run's log has grown to `sequence`; the next step reads what this attempt has not seen.
  public void appended(long sequence) {
    if (log != null && sequence > log.state().sequence()) {
      timers.news();
    }
  }

  public Step step(Instant now) {
    Step next = stepped(now);
    if (next instanceof Step.Over) {
      release();
    }
    return next;
  }

  /// There are no more steps, also where one of them broke: the runner has this attempt no longer.
  public void release() {
    lease.release();
  }

  private Step stepped(Instant now) {
    if (timers.step(now) && log != null) {
      log.rewind(now);
      watch().active(now);
      stop.rewind(now);
    }
    if (now.isBefore(timers.retryAt())) {
      return new Step.Pause(timers.retryAt());
    }
    if (phase != Phase.LEAVE && lease.tooLate(now)) {
      return abandon(Step.Verdict.CUT_OFF, now);
    }
    try {
      if (phase != Phase.CLAIM && phase != Phase.LEAVE) {
        lease.extend(now);
        if (!timers.alone(now)) {
          timers.woken(look.look(ports.wakeups(), now));
        }
      }
      return switch (phase) {
        case CLAIM -> claim(now);
        case DEFER -> defer();
        case OPEN -> open(now);
        case RUN -> run(now);
        case CLOSE -> close(now);
        case END -> end(now);
        case DELETE -> delete();
        case LEAVE -> leave(now);
      };
    } catch (LogAhead _) {
      return readOn(now);
    } catch (PortUnavailable _) {
      return unreachable(now);
    }
  }

  /// The run to claim has a log that takes several steps to read. Meanwhile nobody else is to begin
  /// with it.
  private Step readOn(Instant now) {
    timers.looked(now);
    lease.extend(now);
    return new Step.Again(now);
  }

  private Step unreachable(Instant now) {
    if (timers.cutOff(now)) {
      return abandon(Step.Verdict.CUT_OFF, now);
    }
    if (draining && phase == Phase.CLAIM && !claiming.unanswered()) {
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
  private Step abandon(Step.Verdict as, Instant now) {
    if (agent == null || agentGone) {
      return new Step.Over(as);
    }
    stop.abandon(agent, now);
    verdict = as;
    phase = Phase.LEAVE;
    return new Step.Again(now);
  }

  /// A claim that got no answer is repeated even if the runner stops: only an attempt that has the
  /// run can hand it back.
  private Step claim(Instant now) {
    if (draining && !claiming.unanswered()) {
      lease.giveBack();
      return new Step.Over(Step.Verdict.DEFERRED);
    }
    RunLog.Outcome outcome = claiming.claim(now);
    timers.wrote(now);
    return switch (outcome) {
      case RunLog.Outcome.Done done -> claimed(done.state(), now);
      case RunLog.Outcome.Unchanged unchanged -> claimed(unchanged.state(), now);
      case RunLog.Outcome.Refused refused -> {
        Step.Verdict as = lease.returned(refused, now);
        yield as == Step.Verdict.OUTDATED ? new Step.Over(as) : over(as);
      }
      case RunLog.Outcome.Deferred later -> {
        deferred = later;
        phase = Phase.DEFER;
        yield defer();
      }
    };
  }

  private Step defer() {
    lease.defer(Objects.requireNonNull(deferred));
    return over(Step.Verdict.DEFERRED);
  }

  private Step claimed(RunState state, Instant now) {
    if (!AttemptLog.isOpenFor(claim.attemptId(), state)) {
      return over(Step.Verdict.NOT_NEEDED);
    }
    RunState.Existing existing = (RunState.Existing) state;
    log = new AttemptLog(ports.runs(), claim.run(), claim.attemptId(), existing);
    watch = new AttemptWatch(existing.facts(), now);
    opening = new AttemptOpening(launcher, log, timers, claim.processId());
    phase = Phase.OPEN;
    return new Step.Again(now);
  }

  private Step open(Instant now) {
    return switch (Objects.requireNonNull(opening, "not claimed yet")
        .step(now, watch(), draining)) {
      case AttemptOpening.Opened.Wait wait -> new Step.Again(wait.until());
      case AttemptOpening.Opened.Fenced _ -> new Step.Over(Step.Verdict.FENCED);
      case AttemptOpening.Opened.NotStarted not -> {
        ended = new AgentSignal.Ended(Optional.empty(), 0, Optional.of(not.why()), 0);
        phase = Phase.END;
        yield new Step.Again(now);
      }
      case AttemptOpening.Opened.Refused(AgentHandle told) -> running(told, now);
      case AttemptOpening.Opened.Running running -> {
        started = true;
        interactive = running.interactive();
        yield running(running.agent(), now);
      }
    };
  }

  private Step running(AgentHandle by, Instant now) {
    agent = by;
    watch().active(now);
    phase = Phase.RUN;
    return new Step.Again(now);
  }

  private Step run(Instant now) {
    AttemptLog at = log();
    boolean late = watch().timeOver(at.state(), now);
    int room = Backlog.room(at.pending(), at.pendingBytes());
    if (room == 0) {
      watch().active(now);
    }
    List<AgentSignal> signals = agent().take(room);
    for (AgentSignal signal : signals) {
      watch().told(signal, now);
      switch (signal) {
        case AgentSignal.Output output -> at.add(output.event(), now);
        case AgentSignal.Asked asked ->
            asking
                .ask(asked.question(), at.state().facts(), interactive, now)
                .forEach(event -> at.add(event, now));
        case AgentSignal.Took took -> at.add(InboxDelivery.taken(took, claim.processId()), now);
        case AgentSignal.Ended end -> {
          ended = end;
          agentGone = true;
        }
      }
    }
    if (ended != null) {
      boolean done = !stop.begun() && judged(ended).failure().isEmpty();
      closing = new AttemptClosing(launcher.keep(done && !at.cancelling()), at, timers);
      phase = Phase.CLOSE;
      return close(now);
    }
    if (stop.overdue(now) && signals.size() < room) {
      ended = stop.unended();
      phase = Phase.END;
      return end(now);
    }
    at.keepUp(timers, now);
    if (at.fenced()) {
      return abandon(Step.Verdict.FENCED, now);
    }
    obey(now, late);
    if (!stop.begun()) {
      mail.hand(at.state(), agent());
      await(at, now);
    }
    Instant wake = timers.wakeAt(now, at.dueAt(timers, now));
    return new Step.Again(pauses.wakeAt(stop.wakeAt(wake), now));
  }

  /// Handles pending actions: their time limits, and the place that the waiting run takes.
  private void await(AttemptLog at, Instant now) {
    if (!at.awaiting() || at.pending() > 0) {
      return;
    }
    Interactions interactions = at.state().facts().interactions();
    Action first = interactions.firstToExpire().orElseThrow();
    if (!now.isBefore(first.expiresAt())) {
      if (first.actionType().timeoutDenies()) {
        at.expire(first, now);
        timers.wrote(now);
      } else {
        stop.stop(Failure.notAnswered(), agent(), now);
      }
    } else if (!at.putAside()
        && !draining
        && watch().quietFor(timing.awaitGrace(), interactions, now)
        && pauses.may(agent(), AttemptPause.Need.PLACE, now)) {
      stop.pause(AttemptEnd.AWAITING, agent(), now);
    }
  }

  /// Stops the agent if it must stop; `late` when its time was over before its current question.
  private void obey(Instant now, boolean late) {
    AttemptLog at = log();
    Optional<Failure> crossed = watch().crossed(at.state(), now);
    if (at.cancelling()) {
      stop.stop(AttemptEnd.cancelled(), agent(), now);
    } else if (late || watch().timeOver(at.state(), now)) {
      stop.stop(AttemptEnd.timedOut(), agent(), now);
    } else if (crossed.isPresent()) {
      stop.stop(crossed.get(), agent(), now);
    } else if (!stop.begun() && (at.putAside() || draining)) {
      switch (pauses.givesWay(agent(), at, draining, now)) {
        case PAUSE ->
            stop.pause(at.putAside() ? AttemptEnd.PUT_ASIDE : AttemptEnd.AWAITING, agent(), now);
        case STOP -> stop.stop(AttemptEnd.runnerStopped(), agent(), now);
        case GO_ON -> {}
      }
    }
  }

  private Step close(Instant now) {
    Optional<Instant> wait = Objects.requireNonNull(closing, "has not ended").step(now);
    if (wait.isPresent()) {
      return new Step.Again(wait.get());
    }
    phase = Phase.END;
    return end(now);
  }

  /// Writes the rest of the output and the attempt's end at once, then deletes the message.
  private Step end(Instant now) {
    AttemptLog at = log();
    AgentSignal.Ended end = ended;
    if (end != null && !at.fenced()) {
      stop.end(claim, started)
          .events(judged(end), at.state().facts().attempts())
          .forEach(event -> at.add(event, now));
      ended = null;
    }
    at.flush();
    timers.wrote(now);
    return at.fenced()
        ? new Step.Over(unlessStuck(Step.Verdict.FENCED))
        : over(unlessStuck(Step.Verdict.ENDED));
  }

  /// Its runner must know of an agent that is still there.
  private Step.Verdict unlessStuck(Step.Verdict as) {
    return agent == null || agentGone ? as : Step.Verdict.STUCK;
  }

  private AgentSignal.Ended judged(AgentSignal.Ended end) {
    return stop.judged(end, watch(), closing);
  }

  private Step over(Step.Verdict as) {
    verdict = as;
    phase = Phase.DELETE;
    return delete();
  }

  private Step delete() {
    lease.delete();
    return new Step.Over(verdict);
  }

  /// The agent is being ended and nothing may be written any more; waits for its end.
  private Step leave(Instant now) {
    List<AgentSignal> signals = agent().take(Backlog.EVENTS_MAX);
    agentGone |= signals.stream().anyMatch(AgentSignal.Ended.class::isInstance);
    if (agentGone) {
      return new Step.Over(verdict);
    }
    return stop.overdue(now)
        ? new Step.Over(Step.Verdict.STUCK)
        : new Step.Again(now.plus(LEAVE_PAUSE));
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
