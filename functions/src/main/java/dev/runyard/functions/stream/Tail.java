package dev.runyard.functions.stream;

import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.log.EventCursor;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.run.RunKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// The end of a run's log, read again and again at its own pace. Not thread-safe.
final class Tail {
  private final EventCursor cursor;
  private final TailPace pace;
  private final InstantSource clock;
  private final Pause pauses;
  private List<StoredEvent> first;

  private Tail(
      EventCursor cursor,
      List<StoredEvent> first,
      TailPace pace,
      InstantSource clock,
      Pause pauses) {
    this.cursor = cursor;
    this.first = first;
    this.pace = pace;
    this.clock = clock;
    this.pauses = pauses;
  }

  /// The tail of a run behind `after`; empty when there is no such run.
  static Optional<Tail> open(
      EventLog log, RunKey run, long after, TailPace pace, InstantSource clock, Pause pauses) {
    EventCursor cursor = new EventCursor(log, run, after);
    List<StoredEvent> first = cursor.next();
    boolean exists = !first.isEmpty() || cursor.closed();
    return exists || (after > 0 && log.chunkAt(run, 1).isPresent())
        ? Optional.of(new Tail(cursor, first, pace, clock, pauses))
        : Optional.empty();
  }

  /// What is there now.
  List<StoredEvent> next() {
    List<StoredEvent> events = first.isEmpty() ? cursor.next() : first;
    first = List.of();
    if (!events.isEmpty()) {
      pace.flowing();
    }
    return events;
  }

  /// True when everything was handed out and nothing will follow.
  boolean ended() {
    return first.isEmpty() && cursor.closed();
  }

  /// Waits before the next read, not beyond `until`. False when `until` has come.
  boolean pause(Instant until) throws InterruptedException {
    Duration left = Duration.between(clock.instant(), until);
    if (!left.isPositive()) {
      return false;
    }
    Duration pause = pace.next();
    pauses.pause(pause.compareTo(left) < 0 ? pause : left);
    return true;
  }
}
