package dev.runyard.functions.stream;

import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.EventCursor;
import dev.runyard.core.log.StreamWatch;
import dev.runyard.core.problem.PortUnavailable;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// The tail of one run's log, read once for all readers in this process.
///
/// The feed has no thread: of the waiting readers one pauses, reads, hands out and passes this task
/// to the next. So a reader with a slow client does not hold up the others. It falls behind what is
/// kept, and reads the log itself until it has caught up.
final class RunFeed {
  /// Bytes kept for readers that are a little behind; the newest batch is always kept.
  static final int KEPT_BYTES_MAX = 1024 * 1024;

  /// A reader checks its own client at least this often.
  private static final Duration WAIT_MAX = Duration.ofSeconds(1);

  private final RunKey run;
  private final EventCursor<StoredEvent> cursor;
  private final TailPace pace;
  private final StreamWatch watch;
  private final Audience.Of audience;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition news = lock.newCondition();
  private final Set<Place> places = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Deque<Batch> kept = new ArrayDeque<>();
  private long keptBytes;
  private long head;
  private boolean closed;
  private boolean reading;

  /// @param cursor at the head of the log
  RunFeed(
      RunKey run,
      EventCursor<StoredEvent> cursor,
      TailPace pace,
      StreamWatch watch,
      Audience.Of audience) {
    this.audience = audience;
    this.run = run;
    this.cursor = cursor;
    this.pace = pace;
    this.watch = watch;
    this.head = cursor.after();
  }

  /// A reader's position: everything up to `after` was handed to it.
  static final class Place {
    private final RunFeed feed;
    private long after;

    private Place(RunFeed feed, long after) {
      this.feed = feed;
      this.after = after;
    }

    RunFeed feed() {
      return feed;
    }

    long after() {
      return after;
    }
  }

  RunKey run() {
    return run;
  }

  Place join(long after) {
    lock.lock();
    try {
      Place place = new Place(this, after);
      places.add(place);
      return place;
    } finally {
      lock.unlock();
    }
  }

  /// True when this was the last reader.
  boolean leave(Place place) {
    lock.lock();
    try {
      places.remove(place);
      news.signal();
      return places.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /// Everything that is kept for the reader now, as one batch; empty when what it needs next is not
  /// kept any more.
  Optional<Batch> take(Place place) {
    lock.lock();
    try {
      if (place.after < keptFrom()) {
        return Optional.empty();
      }
      if (place.after >= head) {
        return Optional.of(Batch.NONE);
      }
      List<Batch> parts = new ArrayList<>();
      for (Batch batch : kept) {
        if (batch.last() > place.after) {
          parts.add(batch.after(place.after));
        }
      }
      place.after = head;
      return Optional.of(Batch.of(parts));
    } finally {
      lock.unlock();
    }
  }

  /// Waits until there may be something for the reader, or for `left`.
  void await(Place place, Duration left) throws InterruptedException {
    Duration pause;
    lock.lock();
    try {
      if (closed || place.after < head) {
        return;
      }
      if (reading) {
        Duration wait = left.compareTo(WAIT_MAX) < 0 ? left : WAIT_MAX;
        long nanos = wait.toNanos();
        while (reading && !closed && place.after >= head && nanos > 0) {
          nanos = news.awaitNanos(nanos);
        }
        return;
      }
      reading = true;
      Duration next = pace.next();
      pause = next.compareTo(left) < 0 ? next : left;
    } finally {
      lock.unlock();
    }
    List<StoredEvent> events = List.of();
    try {
      audience.tell();
      watch.await(run, cursor.after(), pause);
      events = read();
      audience.got(events);
    } finally {
      handOut(events);
    }
  }

  /// A log that does not answer is tried again: disconnecting the readers would be worse.
  private List<StoredEvent> read() {
    try {
      return cursor.news();
    } catch (PortUnavailable _) {
      return List.of();
    }
  }

  private void handOut(List<StoredEvent> events) {
    lock.lock();
    try {
      reading = false;
      if (events.isEmpty()) {
        news.signal();
        return;
      }
      Batch batch = new Batch(events, cursor.closed());
      kept.addLast(batch);
      keptBytes += batch.bytes();
      head = batch.last();
      closed = batch.closes();
      trim();
      pace.flowing();
      news.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void trim() {
    long slowest = places.stream().mapToLong(place -> place.after).min().orElse(head);
    while (kept.size() > 1 && (kept.getFirst().last() <= slowest || keptBytes > KEPT_BYTES_MAX)) {
      keptBytes -= kept.removeFirst().bytes();
    }
  }

  private long keptFrom() {
    return kept.isEmpty() ? head : kept.getFirst().first() - 1;
  }
}
