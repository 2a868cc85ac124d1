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
        timers.notExtended(now, leases.unanswered());
      }
      learn();
    } catch (PortUnavailable _) {
      timers.notExtended(now, true);
    }
  }

  /// True when the attempt has to give up at once, as [AttemptTimers#tooLate] says.
  boolean tooLate(Instant now) {
    learn();
    return timers.tooLate(now);
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

  /// Sends a copy that shows later whether the run's attempt has written since then.
  void defer(RunLog.Outcome.Deferred deferred) {
    Sighting sighting = new Sighting(ticket.id(), deferred.beat());
    copy(deferred.state(), Optional.of(sighting), Limits.ALIVE_SECONDS);
  }

  /// The message is deleted after its copy was sent, so that both may exist for a while, but never
  /// neither. Hidden in place of that, it would be a dead letter after some times, for no reason.
  /// The copy of an item's message stays behind others.
  private void copy(RunState state, Optional<Sighting> sighting, int delaySeconds) {
    boolean item = state instanceof RunState.Existing run && run.facts().request().item() != null;
    queue.send(new QueueMessage(ticket.run(), sighting, item), delaySeconds);
  }

  /// What to do with the message of a run that cannot be claimed now. One that came before the
  /// run's next attempt may begin is replaced by a copy that comes then; one for a runner of a
  /// newer release is hidden, and not to be deleted.
  Step.Verdict returned(RunLog.Outcome.Refused refused, Instant now) {
    if (refused.reason() == Decision.Reason.NOT_YET) {
      int pause = ((RunState.Retrying) refused.state()).waiting().pauseSeconds(now);
      copy(refused.state(), ticket.sighting(), Math.min(pause, RunQueue.DELAY_SECONDS_MAX));
      return Step.Verdict.DEFERRED;
    }
    if (refused.reason() == Decision.Reason.NEWER) {
      hide(Limits.NEWER_SECONDS);
      return Step.Verdict.OUTDATED;
    }
    return Step.Verdict.NOT_NEEDED;
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
