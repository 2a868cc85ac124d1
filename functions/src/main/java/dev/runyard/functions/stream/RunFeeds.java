package dev.runyard.functions.stream;

import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.EventCursor;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.log.StreamWatch;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/// The runs that are followed in this process, each by one [RunFeed], however many readers it has.
final class RunFeeds {
  private final EventLog log;
  private final InstantSource clock;
  private final StreamWatch watch;
  private final Duration longestPause;
  private final Audience audience;
  private final BrokenChains broken;
  private final Map<RunKey, RunFeed> feeds = new HashMap<>();
  private final AtomicInteger followed = new AtomicInteger();

  RunFeeds(
      EventLog log,
      InstantSource clock,
      StreamWatch watch,
      Duration longestPause,
      Audience audience,
      BrokenChains broken) {
    this.audience = audience;
    this.broken = broken;
    this.log = log;
    this.clock = clock;
    this.watch = watch;
    this.longestPause = longestPause;
  }

  /// Who learns that a log was changed.
  @FunctionalInterface
  interface BrokenChains {
    /// Called once by each reader that sees it.
    ///
    /// @param sequence at which the chunk begins that was written behind another one
    void tell(RunKey run, long sequence);
  }

  /// A reader of a run's log that tells of a broken chain.
  EventCursor<StoredEvent> cursor(RunKey run, long after) {
    return new EventCursor<>(
        log, EventCodec.RUNS, run, after, sequence -> broken.tell(run, sequence));
  }

  EventLog log() {
    return log;
  }

  /// The tail of a run after `after`, which the caller closes; empty when there is no such run.
  Optional<Tail> open(RunKey run, long after) {
    EventCursor<StoredEvent> cursor = cursor(run, after);
    Batch first = new Batch(cursor.next(), cursor.closed());
    boolean exists = !first.isEmpty() || cursor.closed();
    return exists || (after > 0 && log.chunkAt(run, Long.MAX_VALUE).isPresent())
        ? Optional.of(new Tail(this, run, cursor, first))
        : Optional.empty();
  }

  /// Follows a run for a reader whose own cursor found nothing more.
  RunFeed.Place join(RunKey run, EventCursor<StoredEvent> reader) {
    EventCursor<StoredEvent> cursor = cursor(run, reader.isAhead() ? head(run) : reader.after());
    synchronized (feeds) {
      RunFeed feed =
          feeds.computeIfAbsent(
              run,
              _ ->
                  new RunFeed(
                      run, cursor, new TailPace(longestPause, followed), watch, audience.of(run)));
      followed.set(feeds.size());
      return feed.join(reader.after());
    }
  }

  void leave(RunFeed.Place place) {
    synchronized (feeds) {
      if (place.feed().leave(place)) {
        feeds.remove(place.feed().run());
      }
      followed.set(feeds.size());
    }
  }

  /// Tells the run's runner that somebody watches, who does not follow the run.
  void watched(RunKey run) {
    audience.of(run).tell();
  }

  Duration left(Instant until) {
    return Duration.between(clock.instant(), until);
  }

  /// The newest event of the log.
  Optional<StoredEvent> newest(RunKey run) {
    return log.chunkAt(run, Long.MAX_VALUE).map(chunk -> chunk.events(EventCodec.RUNS).getLast());
  }

  /// The head of the log, for a reader whose cursor is beyond it.
  private long head(RunKey run) {
    return log.chunkAt(run, Long.MAX_VALUE).map(Chunk::last).orElse(0L);
  }
}
