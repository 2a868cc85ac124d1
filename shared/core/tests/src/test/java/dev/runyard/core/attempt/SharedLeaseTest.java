package dev.runyard.core.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.memory.MemoryRunQueue;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.queue.QueueMessage;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.queue.Ticket;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/// What a runner's attempts do with the leases of each other's messages.
final class SharedLeaseTest {
  private static final Duration LEASE = Duration.ofSeconds(Limits.LEASE_SECONDS);
  private static final AttemptTiming TIMING =
      new AttemptTiming(AttemptRig.FLUSH, AttemptRig.FLUSH, AttemptRig.LOOK, LEASE);
  private final SettableClock clock = new SettableClock(AttemptRig.START);
  private final RandomIds ids = new RandomIds(new Random(1));
  private final MemoryRunQueue queue = new MemoryRunQueue(clock, Limits.LEASE_SECONDS);
  private final SharedLeases leases = new SharedLeases(Limits.LEASE_SECONDS);

  @Test
  void aMessageThatWasGivenBackIsHiddenByNobody() {
    comesBack(AttemptLease::giveBack, Duration.ZERO);
    comesBack(lease -> lease.hide(3), Duration.ofSeconds(3));
  }

  /// An attempt that is over without its message leaves it to others.
  @Test
  void aMessageThatWasReleasedComesBackAfterItsLease() {
    comesBack(AttemptLease::release, LEASE);
  }

  /// The message of one attempt is there again after `time`, though another extends its own.
  private void comesBack(Consumer<AttemptLease> end, Duration time) {
    Ticket one = taken();
    Ticket two = taken();
    AttemptLease first = lease(one);
    AttemptLease second = lease(two);
    Instant from = clock.instant();
    end.accept(first);
    second.extend(clock.instant());
    for (Instant at = from; at.isBefore(from.plus(time)); at = clock.instant()) {
      assertEquals(List.of(), queue.receive(1, 0));
      clock.advance(Duration.ofSeconds(1));
      second.extend(clock.instant());
    }

    List<Ticket> back = queue.receive(10, 0);

    assertEquals(List.of(one.run()), back.stream().map(Ticket::run).toList());
    back.forEach(queue::delete);
    second.delete();
  }

  @Test
  void aDeletedMessageIsExtendedByNobody() {
    List<List<Ticket>> extended = new ArrayList<>();
    RunQueue seen = seenBy(extended::add);
    Ticket one = taken();
    Ticket two = taken();
    AttemptLease first = new AttemptLease(seen, one, leases, timers(), clock.instant());
    AttemptLease second = new AttemptLease(seen, two, leases, timers(), clock.instant());
    first.delete();
    clock.advance(LEASE.dividedBy(2));

    second.extend(clock.instant());

    assertEquals(List.of(List.of(two)), extended);
  }

  @Test
  void anAttemptThatStepsHasItsLeaseExtendedByTheOthers() {
    AttemptTimers timers = timers();
    AttemptLease first = new AttemptLease(queue, taken(), leases, timers, clock.instant());
    AttemptLease second = lease(taken());
    clock.advance(LEASE.dividedBy(2).minusSeconds(1));
    first.extend(clock.instant());
    clock.advance(Duration.ofSeconds(2));
    second.extend(clock.instant());

    first.extend(clock.instant());

    assertFalse(timers.extendDue(clock.instant().plus(LEASE.dividedBy(2)).minusSeconds(1)));
  }

  @Test
  void anotherThreadExtendsOnceNobodyDoes() {
    SharedLeases.Hold first = leases.hold(taken(), clock.instant());
    SharedLeases.Hold second = leases.hold(taken(), clock.instant());
    assertTrue(elsewhere(() -> leases.extend(first, queue, clock.instant())), "after a hold");

    leases.extend(first, queue, clock.instant());
    assertTrue(elsewhere(() -> leases.extend(first, queue, clock.instant())), "after a call");

    leases.release(second);
    assertTrue(elsewhere(() -> leases.extend(first, queue, clock.instant())), "after a release");
  }

  @Test
  void oneOfTwoThreadsExtendsAndTheOtherTriesLater() {
    AttemptTimers timers = timers();
    AttemptLease other = new AttemptLease(queue, taken(), leases, timers, clock.instant());
    SharedLeases.Hold mine = leases.hold(taken(), clock.instant());
    clock.advance(LEASE.dividedBy(2));
    Instant now = clock.instant();
    List<Boolean> due = new ArrayList<>();
    RunQueue slow =
        seenBy(
            _ ->
                due.add(
                    elsewhere(
                        () -> {
                          other.extend(now);
                          return timers.extendDue(now);
                        })));

    assertTrue(leases.extend(mine, slow, now));

    assertEquals(List.of(false), due);
    assertTrue(timers.extendDue(now.plusSeconds(2)));
    assertNotNull(mine.extension());
  }

  /// Its runner reaches nothing, and whenever it wants to extend its lease, another one is waiting
  /// for an answer.
  @Test
  void anAttemptLearnsFromOthersThatTheQueueDoesNotAnswer() {
    AttemptTimers timers = timers();
    AttemptLease other = new AttemptLease(queue, taken(), leases, timers, clock.instant());
    SharedLeases.Hold mine = leases.hold(taken(), clock.instant());
    RunQueue silent =
        seenBy(
            _ -> {
              elsewhere(
                  () -> {
                    other.extend(clock.instant());
                    return true;
                  });
              throw new PortUnavailable("no answer");
            });
    for (int i = 0; i < 3; i++) {
      clock.advance(LEASE.dividedBy(2));
      assertThrows(
          PortUnavailable.class, () -> leases.extend(mine, silent, clock.instant()), "no answer");
    }

    timers.failed(clock.instant());

    assertTrue(other.tooLate(clock.instant()));
  }

  @Test
  void aHoldThatNobodyExtendedHasNoExtension() {
    assertNull(leases.hold(taken(), clock.instant()).extension());
  }

  /// A runner tells the fleet of both: no queue counts the runs of the latter.
  @Test
  void countsTheAttemptsThatHaveTheirMessagesAndThoseThatGoOnWithout() {
    AttemptLease first = lease(taken());
    AttemptLease second = lease(taken());
    clock.advance(LEASE.plusSeconds(1));
    queue.receive(2, 0).forEach(queue::delete);
    assertEquals(0, leases.lost());
    assertEquals(2, leases.held());

    first.extend(clock.instant());
    assertEquals(1, leases.lost());
    assertEquals(1, leases.held());
    second.extend(clock.instant());
    assertEquals(2, leases.lost());

    first.release();
    second.delete();
    lease(taken()).release();
    assertEquals(0, leases.lost());
    assertEquals(0, leases.held());
  }

  private static <T> T elsewhere(Supplier<T> call) {
    return CompletableFuture.supplyAsync(call).join();
  }

  private AttemptLease lease(Ticket ticket) {
    return new AttemptLease(queue, ticket, leases, timers(), clock.instant());
  }

  private AttemptTimers timers() {
    return new AttemptTimers(
        TIMING, new SharedLook.Seen(0, Instant.MIN, Instant.MIN), clock.instant());
  }

  private Ticket taken() {
    queue.send(new RunKey("acme", ids.runId(clock.instant())), 0);
    return queue.receive(1, 0).getFirst();
  }

  /// The queue; `extending` hears of what is extended.
  private RunQueue seenBy(Consumer<List<Ticket>> extending) {
    return new RunQueue() {
      @Override
      public void send(QueueMessage message, int delaySeconds) {
        queue.send(message, delaySeconds);
      }

      @Override
      public List<Ticket> receive(int max, int waitSeconds) {
        return queue.receive(max, waitSeconds);
      }

      @Override
      public List<Ticket> extend(List<Ticket> tickets, int seconds) {
        extending.accept(tickets);
        return queue.extend(tickets, seconds);
      }

      @Override
      public void delete(Ticket ticket) {
        queue.delete(ticket);
      }

      @Override
      public Depth depth() {
        return queue.depth();
      }
    };
  }
}
