package dev.runyard.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.queue.QueueMessage;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.queue.Sighting;
import dev.runyard.core.queue.Ticket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What every [RunQueue] promises.
///
/// A queue with a settable clock moves it in [#advance]. A real one does nothing there: the suite
/// then waits by receiving, so its lease should be a few seconds, and has a queue with a long one
/// for whatever is not to happen yet.
public abstract class RunQueueContract {
  /// How often the queue under test delivers a message before it moves it to the dead letters.
  protected static final int RECEIVES_MAX = 2;

  private static final int LONG_SECONDS = 600;

  private static final int DELAY_SECONDS = 1;

  private static final int POLLS_MAX = 20;
  private RunQueue queue;
  private RunQueue deadLetters;

  /// An empty queue with a lease of [#leaseSeconds()] that delivers a message [#RECEIVES_MAX]
  /// times.
  protected abstract RunQueue queue();

  /// An empty queue like that, whose leases end in no test.
  protected RunQueue patient() {
    return queue();
  }

  /// The dead-letter queue of the queue that was made last.
  protected abstract RunQueue deadLetters();

  protected abstract int leaseSeconds();

  protected abstract void advance(Duration duration);

  @BeforeEach
  void open() {
    queue = patient();
    deadLetters = deadLetters();
  }

  @Test
  void deliversWhatWasSent() {
    RunKey run = SampleRuns.run();
    queue.send(run, 0);

    Ticket ticket = next(queue);

    assertEquals(run, ticket.run());
    assertEquals(1, ticket.receiveCount());
  }

  @Test
  void namesTheMessageThatACopyIsSentInPlaceOf() {
    RunKey run = SampleRuns.run();
    queue.send(run, 0);
    Ticket first = next(queue);
    Sighting seen = new Sighting(first.id(), 1_767_225_600_123L);
    queue.send(new QueueMessage(run, Optional.of(seen)), 0);
    queue.delete(first);

    Ticket copy = next(queue);

    assertEquals(run, copy.run());
    assertEquals(Optional.of(seen), copy.sighting());
    assertEquals(first.messageId(), first.id());
    assertEquals(first.id(), copy.id());
    assertNotEquals(first.messageId(), copy.messageId());
  }

  /// Which comes first is up to the queue.
  @Test
  void deliversItemsLikeOthers() {
    RunKey item = SampleRuns.run();
    queue.send(QueueMessage.ofItem(item), 0);

    Ticket ticket = next(queue);

    assertEquals(item, ticket.run());
    assertEquals(1, ticket.receiveCount());
    queue.delete(ticket);
    assertEquals(List.of(ticket), queue.extend(List.of(ticket), leaseSeconds()));
  }

  @Test
  void returnsNothingWhenItIsEmpty() {
    assertEquals(List.of(), queue.receive(RunQueue.RECEIVE_MAX, 0));
  }

  @Test
  void deliversNoMoreThanAskedFor() {
    Set<RunKey> sent = new HashSet<>();
    for (int i = 0; i < 12; i++) {
      RunKey run = SampleRuns.run();
      sent.add(run);
      queue.send(run, 0);
    }

    List<Ticket> one = queue.receive(1, 1);
    List<Ticket> ten = queue.receive(RunQueue.RECEIVE_MAX, 1);
    List<Ticket> rest = queue.receive(RunQueue.RECEIVE_MAX, 1);

    assertEquals(List.of(1, 10, 1), Stream.of(one, ten, rest).map(List::size).toList());
    Set<RunKey> received = new HashSet<>();
    Stream.of(one, ten, rest).flatMap(List::stream).map(Ticket::run).forEach(received::add);
    assertEquals(sent, received);
  }

  @Test
  void hidesATakenMessage() {
    queue.send(SampleRuns.run(), 0);
    next(queue);

    assertEquals(List.of(), queue.receive(1, 0));
  }

  @Test
  void deliversATakenMessageAgainAfterItsLease() {
    queue = queue();
    queue.send(SampleRuns.run(), 0);
    Ticket taken = next(queue);

    advance(Duration.ofSeconds(leaseSeconds()));

    Ticket again = next(queue);
    assertEquals(taken.run(), again.run());
    assertEquals(taken.messageId(), again.messageId());
    assertNotEquals(taken.receipt(), again.receipt());
    assertEquals(2, again.receiveCount());
  }

  @Test
  void keepsAMessageHiddenAsLongAsItsLeaseIsExtended() {
    queue = queue();
    queue.send(SampleRuns.run(), 0);
    takenFor(LONG_SECONDS);

    advance(Duration.ofSeconds(leaseSeconds() + 1L));

    assertNothingComes();
  }

  @Test
  void extendsSeveralLeasesTogetherAndTellsWhichAreLost() {
    List<Ticket> taken = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      queue.send(SampleRuns.run(), 0);
      taken.add(next(queue));
    }
    queue.delete(taken.get(1));

    assertEquals(List.of(taken.get(1)), queue.extend(taken, 0));
    RunKey first = next(queue).run();
    RunKey second = next(queue).run();

    assertEquals(Set.of(taken.get(0).run(), taken.get(2).run()), Set.of(first, second));
    assertThrows(
        IllegalArgumentException.class,
        () -> queue.extend(Collections.nCopies(RunQueue.TOGETHER_MAX + 1, taken.get(0)), 1));
  }

  @Test
  void givesAMessageBackAtOnceWhenItsLeaseIsSetToNothing() {
    queue.send(SampleRuns.run(), 0);
    Ticket taken = next(queue);

    assertTrue(queue.extend(taken, 0));

    assertEquals(taken.messageId(), next(queue).messageId());
  }

  @Test
  void neverDeliversADeletedMessageAgain() {
    queue = queue();
    queue.send(SampleRuns.run(), 0);
    Ticket taken = next(queue);

    queue.delete(taken);
    queue.delete(taken);
    advance(Duration.ofSeconds(leaseSeconds() + 1L));

    assertFalse(queue.extend(taken, LONG_SECONDS));
    assertNothingComes();
    assertEquals(new RunQueue.Depth(0, 0), queue.depth());
  }

  @Test
  void letsAnOldReceiptDoNoHarm() {
    queue.send(SampleRuns.run(), 0);
    Ticket old = next(queue);
    queue.extend(old, 0);
    Ticket current = next(queue);

    queue.delete(old);
    queue.delete(current);

    assertEquals(List.of(), queue.receive(1, 0));
    assertEquals(new RunQueue.Depth(0, 0), queue.depth());
  }

  @Test
  void holdsADelayedMessageBack() {
    RunKey run = SampleRuns.run();
    queue.send(SampleRuns.run(), LONG_SECONDS);

    assertEquals(List.of(), queue.receive(1, 0));
    assertEquals(new RunQueue.Depth(0, 0), queue.depth());

    queue.send(run, DELAY_SECONDS);
    advance(Duration.ofSeconds(DELAY_SECONDS));
    assertEquals(run, next(queue).run());
  }

  @Test
  void countsWaitingAndTakenMessages() {
    for (int i = 0; i < 3; i++) {
      queue.send(SampleRuns.run(), 0);
    }
    next(queue);

    assertEquals(new RunQueue.Depth(2, 1), queue.depth());
  }

  @Test
  void keepsTwoMessagesForTheSameRunApart() {
    RunKey run = SampleRuns.run();
    queue.send(run, 0);
    queue.send(run, 0);

    Ticket one = next(queue);
    Ticket two = next(queue);
    queue.delete(one);

    assertNotEquals(one.messageId(), two.messageId());
    assertTrue(queue.extend(two, LONG_SECONDS));
  }

  @Test
  void movesAMessageNobodyFinishesToTheDeadLetters() {
    RunKey run = SampleRuns.run();
    queue.send(run, 0);
    for (int i = 1; i <= RECEIVES_MAX; i++) {
      Ticket ticket = next(queue);
      assertEquals(i, ticket.receiveCount());
      queue.extend(ticket, 0);
    }

    assertEquals(List.of(), queue.receive(1, 0));

    Ticket dead = next(deadLetters);
    assertEquals(run, dead.run());
    deadLetters.delete(dead);
    assertEquals(new RunQueue.Depth(0, 0), queue.depth());
    assertEquals(new RunQueue.Depth(0, 0), deadLetters.depth());
  }

  /// Nor when a lease is over. A client of a queue waits for no answer for as long as that.
  private void assertNothingComes() {
    for (int i = 0; i <= leaseSeconds(); i++) {
      assertEquals(List.of(), queue.receive(1, 1));
    }
  }

  /// Takes a message and extends its lease, which may be over if the machine stands still between.
  private void takenFor(int seconds) {
    for (int i = 0; i < RECEIVES_MAX; i++) {
      if (queue.extend(next(queue), seconds)) {
        return;
      }
    }
    fail("no lease was extended");
  }

  private static Ticket next(RunQueue queue) {
    for (int i = 0; i < POLLS_MAX; i++) {
      List<Ticket> tickets = queue.receive(1, 1);
      if (!tickets.isEmpty()) {
        return tickets.getFirst();
      }
    }
    return fail("no message came");
  }
}
