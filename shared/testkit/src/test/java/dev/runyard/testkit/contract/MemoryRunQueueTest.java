package dev.runyard.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.memory.MemoryRunQueue;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.queue.Ticket;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemoryRunQueueTest extends RunQueueContract {
  private static final int LEASE_SECONDS = 45;
  private static final RunKey ONE = new RunKey("acme", "019c0000-0000-7000-8000-000000000001");
  private static final RunKey TWO = new RunKey("acme", "019c0000-0000-7000-8000-000000000002");
  private final SettableClock clock = new SettableClock(Instant.EPOCH);
  private final MemoryRunQueue dead = new MemoryRunQueue(clock, LEASE_SECONDS);
  private final MemoryRunQueue queue = new MemoryRunQueue(clock, LEASE_SECONDS, RECEIVES_MAX, dead);

  @Override
  protected RunQueue queue() {
    return queue;
  }

  @Override
  protected RunQueue deadLetters() {
    return dead;
  }

  @Override
  protected int leaseSeconds() {
    return LEASE_SECONDS;
  }

  @Override
  protected void advance(Duration duration) {
    clock.advance(duration);
  }

  @Test
  void deliversTheOldestFirst() {
    queue.send(TWO, 0);
    queue.send(ONE, 0);

    assertEquals(List.of(TWO, ONE), queue.receive(10, 0).stream().map(Ticket::run).toList());
    assertEquals(List.of(TWO, ONE), queue.runs());
  }

  @Test
  void obeysOnlyTheNewestReceipt() {
    queue.send(ONE, 0);
    Ticket old = queue.receive(1, 0).getFirst();
    clock.advance(Duration.ofSeconds(LEASE_SECONDS));
    Ticket current = queue.receive(1, 0).getFirst();

    queue.delete(old);

    assertFalse(queue.extend(old, 10));
    assertTrue(queue.extend(current, 10));
  }

  @Test
  void hidesNothingOnceTheLeaseIsOver() {
    queue.send(ONE, 0);
    Ticket ticket = queue.receive(1, 0).getFirst();
    clock.advance(Duration.ofSeconds(LEASE_SECONDS));

    assertFalse(queue.extend(ticket, 10));
    queue.delete(ticket);
    assertEquals(List.of(), queue.receive(1, 0));
  }

  @Test
  void refusesWhatTheServiceWouldRefuse() {
    assertThrows(IllegalArgumentException.class, () -> queue.send(ONE, -1));
    assertThrows(
        IllegalArgumentException.class, () -> queue.send(ONE, RunQueue.DELAY_SECONDS_MAX + 1));
    assertThrows(IllegalArgumentException.class, () -> queue.receive(0, 0));
    assertThrows(IllegalArgumentException.class, () -> queue.receive(RunQueue.RECEIVE_MAX + 1, 0));
  }
}
