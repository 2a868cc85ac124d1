package dev.runyard.core.attempt;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.run.RunState;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/// From the claim to the running agent: prepare everything, write the start, take over what an
/// earlier attempt left, start the agent. No step waits for any of it, and the agent starts only
/// right after a write, which shows that the run is still this attempt's.
final class AttemptOpening {
  private final AgentLauncher launcher;
  private final AttemptLog log;
  private final AttemptTimers timers;
  private final String processId;
  private final Polling polling = new Polling();
  private @Nullable AgentStart start;
  private @Nullable Future<?> taking;
  private @Nullable Future<?> returning;

  /// What keeps the agent from being started, also once it is gone: what was given back by then is
  /// another attempt's.
  private @Nullable Failure hindrance;

  private @Nullable Future<Optional<AgentHandle>> refusing;
  private boolean written;

  AttemptOpening(AgentLauncher launcher, AttemptLog log, AttemptTimers timers, String processId) {
    this.launcher = launcher;
    this.log = log;
    this.timers = timers;
    this.processId = processId;
  }

  /// The result of a step.
  sealed interface Opened {
    record Wait(Instant until) implements Opened {}

    record Running(AgentHandle agent, boolean interactive) implements Opened {}

    /// No agent was started, and what was prepared for it is told and kept.
    record Refused(AgentHandle told) implements Opened {}

    record NotStarted(Failure why) implements Opened {}

    record Fenced() implements Opened {}
  }

  Opened step(Instant now, AttemptWatch watch, boolean draining) {
    log.keepUp(timers, now);
    if (log.fenced()) {
      abandon();
      return new Opened.Fenced();
    }
    Optional<Failure> hindered =
        hindered(now, watch, draining).or(() -> Optional.ofNullable(hindrance));
    if (hindered.isPresent()) {
      hindrance = hindered.get();
      if (refusing == null) {
        abandon();
      }
      return notStarted(hindered.get(), now);
    }
    AgentStart by = start == null ? prepared() : start;
    start = by;
    if (!by.ready().isDone()) {
      return wait(now);
    }
    if (!written) {
      log.add(new RunEvent.TurnStarted(attempt().number()), now);
      log.add(new RunEvent.ProcessStarted(processId, by.program()), now);
      written = true;
      return step(now, watch, draining);
    }
    boolean begins = taking == null;
    Future<?> taken = taking == null ? by.take() : taking;
    taking = taken;
    if (!taken.isDone()) {
      return wait(now);
    }
    if (!begins && !stillOurs(now)) {
      return step(now, watch, draining);
    }
    return new Opened.Running(by.launch(), by.interactive());
  }

  /// If the run is handed back, what this attempt has taken is first given back. Else the run is
  /// over, and what it has changed by now is its own.
  private Opened notStarted(Failure why, Instant now) {
    if (start == null) {
      return new Opened.NotStarted(why);
    }
    if (!why.code().equals(Failure.RUNNER_STOPPED)) {
      return refused(start, why, now);
    }
    Future<?> taken = taking;
    if (taken == null) {
      return new Opened.NotStarted(why);
    }
    if (!taken.isDone()) {
      return wait(now);
    }
    Future<?> returned = returning == null ? start.giveBack() : returning;
    returning = returned;
    return returned.isDone() ? new Opened.NotStarted(why) : wait(now);
  }

  private Opened refused(AgentStart by, Failure why, Instant now) {
    Future<Optional<AgentHandle>> refused = refusing == null ? by.refuse(why) : refusing;
    refusing = refused;
    return refused.isDone()
        ? refused
            .resultNow()
            .<Opened>map(Opened.Refused::new)
            .orElseGet(() -> new Opened.NotStarted(why))
        : wait(now);
  }

  private void abandon() {
    if (start != null) {
      start.abandon();
    }
  }

  private AgentStart prepared() {
    return launcher.prepare(log.state().facts(), attempt());
  }

  private Attempt attempt() {
    return switch (log.state()) {
      case RunState.InProgress run -> run.attempt();
      case RunState.Existing other ->
          throw new IllegalStateException("no agent is started in " + other.phase());
    };
  }

  /// Why the agent must not be started. If the runner stops or the run is put aside, the run is
  /// handed back.
  private Optional<Failure> hindered(Instant now, AttemptWatch watch, boolean draining) {
    if (!(log.state() instanceof RunState.InProgress)) {
      return Optional.of(AttemptEnd.cancelled());
    }
    if (watch.timeOver(log.state(), now)) {
      return Optional.of(AttemptEnd.timedOutUnstarted());
    }
    if (log.putAside()) {
      return Optional.of(AttemptEnd.putAside());
    }
    return draining ? Optional.of(AttemptEnd.handedBack()) : Optional.empty();
  }

  /// Only a write shows it for certain; the start was written a while ago.
  private boolean stillOurs(Instant now) {
    log.add(new RunEvent.RunStatus(log.state().phase()), now);
    log.flush();
    timers.wrote(now);
    return !log.fenced() && log.state() instanceof RunState.InProgress;
  }

  private Opened wait(Instant now) {
    return new Opened.Wait(polling.next(timers.wakeAt(now, log.dueAt(timers, now)), now));
  }
}
