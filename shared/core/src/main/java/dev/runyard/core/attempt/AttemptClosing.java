package dev.runyard.core.attempt;

import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/// Between the agent's end and the attempt's: what the agent leaves is stored, however long that
/// takes, while the attempt keeps its lease and shows signs of life. An attempt that has lost the
/// run stores nothing.
final class AttemptClosing {
  private final Optional<Keeping> keeping;
  private final AttemptLog log;
  private final AttemptTimers timers;
  private final Polling polling = new Polling();
  private @Nullable Future<Keeping.Settled> settled;

  AttemptClosing(Optional<Keeping> keeping, AttemptLog log, AttemptTimers timers) {
    this.keeping = keeping;
    this.log = log;
    this.timers = timers;
  }

  /// When to step again; empty when everything is stored and the resulting events are pending.
  Optional<Instant> step(Instant now) {
    if (keeping.isEmpty()) {
      return Optional.empty();
    }
    Keeping by = keeping.get();
    if (!log.fenced()) {
      log.keepUp(timers, now);
    }
    if (!by.stored().isDone()) {
      return wait(now);
    }
    if (settled == null) {
      if (!log.fenced()) {
        log.look();
        timers.looked(now);
      }
      settled = by.settle(!log.fenced());
    }
    if (!settled.isDone()) {
      return wait(now);
    }
    settled.resultNow().warning().ifPresent(event -> log.add(event, now));
    if (!log.fenced()) {
      by.facts().forEach(event -> log.add(event, now));
    }
    return Optional.empty();
  }

  /// True when all that another attempt needs to continue is stored.
  boolean keptAll() {
    return settled == null || settled.resultNow().kept();
  }

  /// An attempt that has lost the run has nothing to write in time.
  private Optional<Instant> wait(Instant now) {
    Instant wake = log.fenced() ? Instant.MAX : timers.wakeAt(now, log.dueAt(timers, now));
    return Optional.of(polling.next(wake, now));
  }
}
