package dev.runyard.core.attempt;

import dev.runyard.core.limits.Limits;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.queue.QueueMessage;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.queue.Sighting;
import dev.runyard.core.queue.Ticket;
import dev.runyard.core.run.Decision;
import dev.runyard.core.run.RunState;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// An attempt's hold on the message it was claimed with. It may be lost: another runner received
/// the message, or it was hidden for as long as a queue allows. The attempt continues without it,
/// as long as the log says that the run is its own; if its runner dies then, `sweep` notices its
/// silence.
final class AttemptLease {
  private final RunQueue queue;
  private final Ticket ticket;
  private final SharedLeases leases;
  private final SharedLeases.Hold hold;
  private final AttemptTimers timers;
  private SharedLeases.@Nullable Extension known;

  AttemptLease(
      RunQueue queue, Ticket ticket, SharedLeases leases, AttemptTimers timers, Instant now) {
    this.queue = queue;
    this.ticket = ticket;
    this.leases = leases;
    this.hold = leases.hold(ticket, now);
    this.timers = timers;
  }

  /// Extends the lease if that is due, together with others of the runner. If it is lost, the
  /// attempt reads the log.
  void extend(Instant now) {
    hold.attend(now);
    learn();
    if (!timers.extendDue(now)) {
      return;
    }
    if (known != null && known.lost()) {
      timers.neverExtend();
      return;
    }
    try {
      if (!leases.extend(hold, queue, now)) {
        timers.notExtended(now);
      }
      learn();
    } catch (PortUnavailable _) {
      timers.notExtended(now);
    }
  }

  /// Another attempt of the runner may have extended the lease.
  private void learn() {
    SharedLeases.Extension last = hold.extension();
    if (last != null && !last.equals(known)) {
      known = last;
      timers.extended(last.at(), last.lost());
    }
  }

  /// The lease is extended no more.
  void release() {
    leases.release(hold);
  }

  /// Sends a copy that shows later whether the run's attempt has written since then. The message is
  /// deleted afterwards, so that both may exist for a while, but never neither. That of an item
  /// stays behind others.
  void defer(RunLog.Outcome.Deferred deferred) {
    boolean item =
        deferred.state() instanceof RunState.Existing run && run.facts().request().item() != null;
    Sighting sighting = new Sighting(ticket.id(), deferred.beat());
    queue.send(new QueueMessage(ticket.run(), Optional.of(sighting), item), Limits.ALIVE_SECONDS);
  }

  /// Hides the message of a run that cannot be claimed now: until its next attempt may begin, or
  /// for a runner of a newer release. Empty if the message is of no use any more.
  Optional<Step.Verdict> returned(RunLog.Outcome.Refused refused, Instant now) {
    if (refused.reason() == Decision.Reason.NOT_YET) {
      hide(((RunState.Retrying) refused.state()).waiting().pauseSeconds(now));
      return Optional.of(Step.Verdict.DEFERRED);
    }
    if (refused.reason() == Decision.Reason.NEWER) {
      hide(Limits.NEWER_SECONDS);
      return Optional.of(Step.Verdict.OUTDATED);
    }
    return Optional.empty();
  }

  /// Hides the message for this long; then it is received again.
  void hide(int forSeconds) {
    release();
    queue.extend(ticket, forSeconds);
  }

  void giveBack() {
    release();
    queue.extend(ticket, 0);
  }

  void delete() {
    release();
    queue.delete(ticket);
  }
}
