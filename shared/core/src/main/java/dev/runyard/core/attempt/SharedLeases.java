package dev.runyard.core.attempt;

import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.queue.Ticket;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The leases of a runner's attempts, extended together: the first that is due extends those of the
/// others too. A lease that its attempt no longer attends to is left alone, so that a run whose
/// attempt is stuck comes back. Thread-safe.
final class SharedLeases {
  /// An attempt that did not step for this long does not attend to its lease.
  static final int ATTENDED_SECONDS_MAX = 5;

  private final int seconds;
  private final ReentrantLock extending = new ReentrantLock();
  private final List<Hold> holds = new CopyOnWriteArrayList<>();
  private final List<Hold> lost = new CopyOnWriteArrayList<>();
  private volatile boolean unanswered;

  /// @param seconds of a lease
  SharedLeases(int seconds) {
    this.seconds = seconds;
  }

  /// An attempt's hold on its message.
  static final class Hold {
    private final Ticket ticket;
    private volatile Instant attendedAt;
    private volatile @Nullable Extension extension;

    private Hold(Ticket ticket, Instant now) {
      this.ticket = ticket;
      this.attendedAt = now;
    }

    /// The attempt steps.
    void attend(Instant now) {
      attendedAt = now;
    }

    /// The last time the lease was extended, by whomever; null before the first.
    @Nullable Extension extension() {
      return extension;
    }

    private Instant extendedAt() {
      Extension last = extension;
      return last == null ? Instant.MIN : last.at();
    }

    private boolean attended(Instant now) {
      return Duration.between(attendedAt, now).abs().toSeconds() < ATTENDED_SECONDS_MAX;
    }
  }

  /// @param lost when there was no lease any more
  record Extension(Instant at, boolean lost) {}

  Hold hold(Ticket ticket, Instant now) {
    Hold hold = new Hold(ticket, now);
    holds.add(hold);
    return hold;
  }

  /// The lease is extended no more, also not by a call that another attempt is making.
  void release(Hold hold) {
    extending.lock();
    try {
      holds.remove(hold);
      lost.remove(hold);
    } finally {
      extending.unlock();
    }
  }

  /// How many attempts go on without their lease.
  int lost() {
    return lost.size();
  }

  /// True when the queue did not answer the last call.
  boolean unanswered() {
    return unanswered;
  }

  /// How many attempts have theirs.
  int held() {
    return holds.size();
  }

  private List<Ticket> extended(RunQueue queue, List<Hold> together) {
    try {
      List<Ticket> gone =
          queue.extend(together.stream().map(hold -> hold.ticket).toList(), seconds);
      unanswered = false;
      return gone;
    } catch (PortUnavailable e) {
      unanswered = true;
      throw e;
    }
  }

  /// Extends the lease and, with the same call, others that are attended to. False when another
  /// attempt is doing so.
  ///
  /// @throws PortUnavailable when the queue did not answer
  boolean extend(Hold mine, RunQueue queue, Instant now) {
    if (!extending.tryLock()) {
      return false;
    }
    try {
      List<Hold> together =
          Stream.concat(
                  Stream.of(mine),
                  holds.stream()
                      .filter(hold -> hold != mine && hold.attended(now))
                      .sorted(Comparator.comparing(Hold::extendedAt)))
              .limit(RunQueue.TOGETHER_MAX)
              .toList();
      Set<Ticket> gone = new HashSet<>(extended(queue, together));
      for (Hold hold : together) {
        hold.extension = new Extension(now, gone.contains(hold.ticket));
        if (gone.contains(hold.ticket) && holds.remove(hold)) {
          lost.add(hold);
        }
      }
      return true;
    } finally {
      extending.unlock();
    }
  }
}
