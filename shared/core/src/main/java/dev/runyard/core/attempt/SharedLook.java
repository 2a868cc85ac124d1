package dev.runyard.core.attempt;

import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.wakeup.Wakeups;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/// One look for wake-ups on behalf of all attempts of a runner. Thread-safe.
final class SharedLook {
  /// After a wake-up somebody is taken to be there for this long: who watches wakes the runner
  /// again before.
  static final int WATCHED_SECONDS = 60;

  private final String runner;
  private final Duration pause;
  private final Duration quietPause;
  private final ReentrantLock looking = new ReentrantLock();
  private Optional<String> mark = Optional.empty();
  private volatile Seen seen = new Seen(0, Instant.MIN, Instant.MIN);

  /// @param pause between two looks
  /// @param quietPause the same while nobody is there
  SharedLook(String runner, Duration pause, Duration quietPause) {
    this.runner = runner;
    this.pause = pause;
    this.quietPause = quietPause;
  }

  /// What the last look has shown.
  ///
  /// @param wakeups how many there were
  /// @param at when the newest was seen
  /// @param nextAt when to look again
  record Seen(long wakeups, Instant at, Instant nextAt) {
    /// True for a while after a wake-up: somebody is taken to be there.
    boolean watched(Instant now) {
      return wakeups > 0 && now.isBefore(at.plusSeconds(WATCHED_SECONDS));
    }
  }

  Seen seen() {
    return seen;
  }

  /// Looks if that is due and no other attempt does. A store that does not answer is asked again
  /// after the pause; until then the log tells each attempt when it writes.
  Seen look(Wakeups wakeups, Instant now) {
    if (!due(now)) {
      return seen;
    }
    if (!looking.tryLock()) {
      return new Seen(seen.wakeups(), seen.at(), now.plus(pause));
    }
    try {
      if (due(now)) {
        looked(wakeups, now);
      }
    } catch (PortUnavailable _) {
      return seen;
    } finally {
      looking.unlock();
    }
    return seen;
  }

  private void looked(Wakeups wakeups, Instant now) {
    Seen before = seen;
    Duration wait = before.watched(now) ? pause : quietPause;
    seen = new Seen(before.wakeups(), before.at(), now.plus(wait));
    Optional<String> last = wakeups.last(runner);
    if (!last.equals(mark)) {
      mark = last;
      seen = new Seen(before.wakeups() + 1, now, now.plus(pause));
    }
  }

  /// True also when the clock was set back.
  private boolean due(Instant now) {
    Instant next = seen.nextAt();
    return !now.isBefore(next) || now.plus(quietPause).isBefore(next);
  }
}
