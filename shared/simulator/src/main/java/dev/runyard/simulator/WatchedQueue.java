package dev.runyard.simulator;

import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.queue.Ticket;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/// The queue as one attempt uses it, which knows for how long it has extended no lease. Another
/// attempt of the runner may have extended this one's if it was not asked for a while.
final class WatchedQueue extends PassingQueue {
  private static final Duration ASKED = Duration.ofSeconds(90);

  private final InstantSource clock;
  private Instant refusedSince = Instant.MIN;
  private Instant refusedAt = Instant.MIN;

  WatchedQueue(RunQueue queue, InstantSource clock) {
    super(queue);
    this.clock = clock;
  }

  /// None if it answered last.
  Duration refusedFor() {
    return asked() ? Duration.between(refusedSince, clock.instant()) : Duration.ZERO;
  }

  private boolean asked() {
    return clock.instant().minus(ASKED).isBefore(refusedAt);
  }

  @Override
  public List<Ticket> extend(List<Ticket> tickets, int seconds) {
    try {
      List<Ticket> lost = super.extend(tickets, seconds);
      refusedAt = Instant.MIN;
      return lost;
    } catch (PortUnavailable e) {
      refusedSince = asked() ? refusedSince : clock.instant();
      refusedAt = clock.instant();
      throw e;
    }
  }
}
