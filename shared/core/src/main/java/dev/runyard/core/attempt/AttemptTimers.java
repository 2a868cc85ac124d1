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

  /// Calls that do not answer take seconds, and output waits for them.
  private static final Duration EXTEND_RETRY = Duration.ofSeconds(2);

  private final AttemptTiming timing;
  private Instant steppedAt;
  private Instant reachedAt;
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
    retryAt = now.plus(RETRY);
  }

  /// True when the runner must give up: neither port answered for a lease, or the log did not for
  /// so long that the attempt will be taken for dead. An attempt that has lost its lease has the
  /// log alone: somebody may have received its message, or may at any time, and ends it if it is
  /// silent for [Limits#ALIVE_SECONDS] then.
  boolean cutOff(Instant now) {
    return Duration.between(reachedAt, now).compareTo(timing.lease()) >= 0
        || Duration.between(loggedAt, now).compareTo(LOG_SILENCE_MAX) >= 0;
  }

  boolean extendDue(Instant now) {
    return !now.isBefore(extendAt);
  }

  /// The queue answered; `lost` when there is no lease any more and the log must be read.
  void extended(Instant at, boolean lost) {
    extendAt = at.plus(half());
    reachedAt = at.isAfter(reachedAt) ? at : reachedAt;
    lookAt = lost ? at : lookAt;
  }

  void notExtended(Instant now) {
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
    Instant wake = earlier(earlier(lookAt, seen.nextAt()), earlier(extendAt, heartbeatAt()));
    wake = due == null ? wake : earlier(wake, due);
    return wake.isBefore(now) ? now : wake;
  }

  private void logged(Instant now) {
    reachedAt = now;
    loggedAt = now;
  }

  private Instant heartbeatAt() {
    return wroteAt.plusSeconds(Limits.HEARTBEAT_SECONDS);
  }

  private Duration half() {
    return timing.lease().dividedBy(2);
  }

  private static Instant earlier(Instant a, Instant b) {
    return a.isBefore(b) ? a : b;
  }
}
