package dev.runyard.core.attempt;

import dev.runyard.core.limits.Limits;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// When an attempt last reached its ports, and when it must call them again. If the clock is set
/// back, all of it restarts, so that the attempt never waits for the old time.
final class AttemptTimers {
  private static final Duration RETRY = Duration.ofMillis(200);

  /// If the log does not answer for this long, the agent is ended, before anybody may start
  /// another.
  private static final Duration LOG_SILENCE_MAX = Duration.ofSeconds(Limits.CUT_OFF_SECONDS);

  private static final Duration ALIVE = Duration.ofSeconds(Limits.ALIVE_SECONDS);
  private static final Duration GIVE_UP = Duration.ofSeconds(Limits.GIVE_UP_SECONDS);
  private static final Duration HEARTBEAT = Duration.ofSeconds(Limits.HEARTBEAT_SECONDS);

  /// The same while the queue does not answer: it has to be tried more than once in the time that
  /// an attempt then has.
  private static final Duration ALONE = HEARTBEAT.dividedBy(3);

  /// Calls that do not answer take seconds, and output waits for them.
  private static final Duration EXTEND_RETRY = Duration.ofSeconds(2);

  private final AttemptTiming timing;
  private Instant steppedAt;
  private Instant reachedAt;
  private Instant leasedAt;
  private boolean logUnanswered;
  private boolean queueUnanswered;
  private Instant loggedAt;
  private Instant wroteAt;
  private Instant retryAt;
  private Instant extendAt;
  private Instant lookAt;
  private SharedLook.Seen seen;

  /// @param seen of wake-ups; those before the attempt do not concern it
  AttemptTimers(AttemptTiming timing, SharedLook.Seen seen, Instant now) {
    this.timing = timing;
    this.seen = seen;
    steppedAt = now;
    reachedAt = now;
    leasedAt = now;
    loggedAt = now;
    wroteAt = now;
    retryAt = now;
    extendAt = now.plus(half());
    lookAt = Instant.MAX;
  }

  /// A step begins; true when the clock was set back since the last one.
  boolean step(Instant now) {
    boolean back = now.isBefore(steppedAt);
    if (back) {
      reachedAt = now;
      leasedAt = now;
      loggedAt = now;
      wroteAt = now;
      retryAt = now;
      extendAt = now;
      lookAt = now;
    }
    steppedAt = now;
    return back;
  }

  /// No call is made before this time, because a port did not answer.
  Instant retryAt() {
    return retryAt;
  }

  void failed(Instant now) {
    logUnanswered = true;
    retryAt = now.plus(RETRY);
  }

  /// True when the runner must give up: neither port answered for a lease, or the log did not for
  /// so long that the attempt will be taken for dead, by a function or by who receives its message.
  /// An attempt that has lost its lease has the log alone: somebody may have received its message,
  /// or may at any time, and ends it if it is silent for [Limits#ALIVE_SECONDS] then.
  boolean cutOff(Instant now) {
    return past(reachedAt, timing.lease(), now)
        || past(loggedAt, LOG_SILENCE_MAX, now)
        || takenForDead(now);
  }

  /// True when somebody may soon take the attempt for dead, with no fault but that its machine
  /// reaches nothing: its message is received when the lease is over, and ends it after
  /// [Limits#ALIVE_SECONDS] more. Calls that take long are no reason to be late for that, so it is
  /// asked before a call too, once one was not answered.
  boolean tooLate(Instant now) {
    return logUnanswered && takenForDead(now);
  }

  private boolean takenForDead(Instant now) {
    Instant back = leasedAt.plus(timing.lease());
    Instant last = wroteAt.isAfter(back) ? wroteAt : back;
    return queueUnanswered && past(last, ALIVE.minus(GIVE_UP), now);
  }

  /// True when the queue does not answer and the lease is over. What is written is all that shows
  /// then that the attempt lives, and shows it too what others wrote.
  boolean alone(Instant now) {
    return queueUnanswered && past(leasedAt, timing.lease(), now);
  }

  boolean extendDue(Instant now) {
    return !now.isBefore(extendAt) && asksQueue(now);
  }

  /// An attempt that is alone asks the queue only when it has just written: each call may take
  /// long.
  private boolean asksQueue(Instant now) {
    return !alone(now) || !(logUnanswered || past(wroteAt, ALONE, now));
  }

  /// The queue answered; `lost` when there is no lease any more and the log must be read.
  void extended(Instant at, boolean lost) {
    extendAt = at.plus(half());
    reachedAt = at.isAfter(reachedAt) ? at : reachedAt;
    leasedAt = at;
    queueUnanswered = false;
    lookAt = lost ? at : lookAt;
  }

  /// The lease could not be extended, or somebody else extends it now.
  ///
  /// @param unanswered whether the queue did not answer the last call
  void notExtended(Instant now, boolean unanswered) {
    queueUnanswered = unanswered;
    extendAt = now.plus(EXTEND_RETRY);
  }

  /// There is no lease to extend any more, so nothing is due for it.
  void neverExtend() {
    extendAt = Instant.MAX;
  }

  /// The runner has looked for wake-ups. After a new one the log is to be read.
  void woken(SharedLook.Seen now) {
    if (now.wakeups() != seen.wakeups()) {
      lookAt = now.at();
    }
    seen = now;
  }

  /// How long output waits for more: not for long after a wake-up, because somebody is there.
  Duration window(Instant now) {
    return seen.watched(now) ? timing.flush() : timing.gather();
  }

  /// How long what somebody waits for waits for more.
  Duration shortWindow() {
    return timing.flush();
  }

  boolean lookDue(Instant now) {
    return !lookAt.isAfter(now);
  }

  /// The log has something new: it is read at once.
  void news() {
    lookAt = steppedAt;
  }

  /// The log was read.
  void looked(Instant now) {
    logged(now);
    lookAt = Instant.MAX;
  }

  /// The log was written, which shows what others wrote as well as a read does.
  void wrote(Instant now) {
    looked(now);
    wroteAt = now;
  }

  boolean heartbeatDue(Instant now) {
    return !heartbeatAt().isAfter(now);
  }

  /// When the attempt must step again, at the latest.
  ///
  /// @param due when what is pending must be written, null when nothing is
  Instant wakeAt(Instant now, @Nullable Instant due) {
    Instant woken = alone(now) ? Instant.MAX : seen.nextAt();
    Instant extend = asksQueue(now) ? extendAt : Instant.MAX;
    Instant wake = earlier(earlier(lookAt, woken), earlier(extend, heartbeatAt()));
    wake = due == null ? wake : earlier(wake, due);
    return wake.isBefore(now) ? now : wake;
  }

  private void logged(Instant now) {
    logUnanswered = false;
    reachedAt = now;
    loggedAt = now;
  }

  private Instant heartbeatAt() {
    return wroteAt.plus(queueUnanswered ? ALONE : HEARTBEAT);
  }

  private Duration half() {
    return timing.lease().dividedBy(2);
  }

  private static boolean past(Instant since, Duration time, Instant now) {
    return Duration.between(since, now).compareTo(time) >= 0;
  }

  private static Instant earlier(Instant a, Instant b) {
    return a.isBefore(b) ? a : b;
  }
}
