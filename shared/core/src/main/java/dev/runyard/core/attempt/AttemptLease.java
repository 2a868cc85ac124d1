package dev.runyard.core.attempt;

import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.queue.QueueMessage;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.queue.Sighting;
import dev.runyard.core.queue.Ticket;
import java.time.Instant;
import java.util.Optional;

/// An attempt's hold on the message it was claimed with. It may be lost: another runner received
/// the message, or it was hidden for as long as a queue allows. The attempt continues without it,
/// as long as the log says that the run is its own; if its runner dies then, `sweep` notices its
/// silence.
final class AttemptLease {
  private final RunQueue queue;
  private final Ticket ticket;
  private final int seconds;
  private final AttemptTimers timers;
  private boolean lost;

  AttemptLease(RunQueue queue, Ticket ticket, int seconds, AttemptTimers timers) {
    this.queue = queue;
    this.ticket = ticket;
    this.seconds = seconds;
    this.timers = timers;
  }

  /// Extends the lease if that is due. If it is lost, the attempt reads the log.
  void extend(Instant now) {
    if (!timers.extendDue(now)) {
      return;
    }
    if (lost) {
      timers.neverExtend();
      return;
    }
    try {
      lost = !queue.extend(ticket, seconds);
      timers.extended(now, lost);
    } catch (PortUnavailable _) {
      timers.notExtended(now);
    }
  }

  /// Sends a copy that shows later whether the run's attempt has written since `beat`. The message
  /// is deleted afterwards, so that both may exist for a while, but never neither.
  void defer(long beat) {
    queue.send(
        new QueueMessage(ticket.run(), Optional.of(new Sighting(ticket.id(), beat))),
        Limits.ALIVE_SECONDS);
  }

  void giveBack() {
    queue.extend(ticket, 0);
  }

  void delete() {
    queue.delete(ticket);
  }
}
