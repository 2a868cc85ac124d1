package dev.runyard.simulator;

import dev.runyard.core.memory.MemoryRunQueue;
import dev.runyard.core.queue.QueueMessage;
import dev.runyard.core.queue.Ticket;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// A queue that at times shows a hidden message again, so that two receivers have it at once and
/// the older receipt is stale, and that counts about right.
final class SimulatedQueue extends PassingQueue {
  private static final double DUPLICATE = 0.15;

  /// How long a received message can be hidden in all.
  private static final Duration HIDDEN_MAX = Duration.ofHours(12);

  private final MemoryRunQueue queue;
  private final DeadLetters dead;
  private final Faults faults;
  private final InstantSource clock;
  private final Random random;
  private final Map<String, Instant> received = new HashMap<>();
  private long duplicates;

  /// @param dead where messages of `queue` go that are received too often
  SimulatedQueue(
      MemoryRunQueue queue, DeadLetters dead, Faults faults, InstantSource clock, Random random) {
    super(queue);
    this.queue = queue;
    this.dead = dead;
    this.faults = faults;
    this.clock = clock;
    this.random = random;
  }

  long duplicates() {
    return duplicates;
  }

  /// When there is something to receive.
  Instant nextAt() {
    return queue.nextAt();
  }

  @Override
  public void send(QueueMessage message, int delaySeconds) {
    super.send(message, delaySeconds);
    faults.sends().sent(message, delaySeconds);
  }

  @Override
  public List<Ticket> receive(int max, int waitSeconds) {
    List<Ticket> tickets = new ArrayList<>(super.receive(max, waitSeconds));
    for (Ticket ticket : tickets) {
      received.put(ticket.receipt(), clock.instant());
      boolean shown = faults.strikes(Fault.DUPLICATE, DUPLICATE);
      dead.received(ticket, shown);
      if (shown) {
        duplicates++;
        queue.show(ticket, clock.instant().plusMillis(random.nextInt(12_000)));
      }
    }
    return tickets;
  }

  @Override
  public List<Ticket> extend(List<Ticket> tickets, int seconds) {
    Instant until = clock.instant().plusSeconds(seconds);
    List<Ticket> lost = new ArrayList<>();
    for (Ticket ticket : tickets) {
      boolean hidden =
          !until.isAfter(received.getOrDefault(ticket.receipt(), until).plus(HIDDEN_MAX))
              && queue.extend(ticket, seconds);
      if (!hidden) {
        lost.add(ticket);
      }
    }
    return lost;
  }
}
