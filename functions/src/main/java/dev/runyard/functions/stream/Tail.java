package dev.runyard.functions.stream;

import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.EventCursor;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One reader's way through a run's log: existing events by its own reads, later ones by reads
/// shared with the run's other readers. Not thread-safe.
final class Tail implements AutoCloseable {
  private final RunFeeds feeds;
  private final RunKey run;
  private EventCursor<StoredEvent> cursor;
  private Batch first;
  private RunFeed.@Nullable Place place;
  private final boolean cameAhead;
  private boolean more;
  private boolean closed;

  Tail(RunFeeds feeds, RunKey run, EventCursor<StoredEvent> cursor, Batch first) {
    this.feeds = feeds;
    this.run = run;
    this.cursor = cursor;
    this.first = first;
    this.closed = cursor.closed();
    this.cameAhead = cursor.isAhead();
  }

  /// The events that are available now.
  Batch next() {
    Batch batch = first.isEmpty() ? place == null ? read() : taken(place) : first;
    first = Batch.NONE;
    more = !batch.isEmpty();
    closed |= batch.closes();
    return batch;
  }

  /// True when everything was handed out and nothing will follow.
  boolean ended() {
    return first.isEmpty() && closed;
  }

  /// True when the reader has seen more than there was when it came.
  boolean cameAhead() {
    return cameAhead;
  }

  /// The reader goes, and may come back for more.
  void interrupted() {
    if (place == null && !ended()) {
      feeds.watched(run);
    }
  }

  /// Waits before the next read if the last one found nothing, at most until `until`. False when
  /// `until` has come.
  boolean pause(Instant until) throws InterruptedException {
    Duration left = feeds.left(until);
    if (!left.isPositive()) {
      return false;
    }
    if (!more) {
      RunFeed.Place mine = place;
      if (mine == null) {
        mine = feeds.join(run, cursor);
        place = mine;
      }
      mine.feed().await(mine, left);
    }
    return true;
  }

  private Batch read() {
    List<StoredEvent> events = cursor.next();
    return events.isEmpty() && !cursor.closed() ? Batch.NONE : new Batch(events, cursor.closed());
  }

  private Batch taken(RunFeed.Place mine) {
    Optional<Batch> batch = mine.feed().take(mine);
    if (batch.isPresent()) {
      return batch.get();
    }
    cursor = feeds.cursor(run, mine.after());
    close();
    return read();
  }

  /// Stops following the run.
  @Override
  public void close() {
    RunFeed.Place mine = place;
    if (mine != null) {
      place = null;
      feeds.leave(mine);
    }
  }
}
