package dev.runyard.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.queue.QueueMessage;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.queue.Sighting;
import dev.runyard.core.queue.Ticket;
import dev.runyard.testkit.contract.RunQueueContract;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(StoreRig.Given.class)
class SqliteRunQueueTest extends RunQueueContract {
  static final QueueRule DEAD = new QueueRule("dead", 60, 600);
  static final QueueRule RULE =
      new QueueRule("tried", 45, 3_000, Optional.of(new QueueRule.DeadLetters(RECEIVES_MAX, DEAD)));
  private static final RunKey ONE = SampleRun.key(1);
  private static final RunKey TWO = SampleRun.key(2);
  private final StoreRig rig;

  SqliteRunQueueTest(StoreRig rig) {
    this.rig = rig;
  }

  @Override
  protected RunQueue queue() {
    return rig.store().queue(RULE);
  }

  @Override
  protected RunQueue deadLetters() {
    return rig.store().queue(DEAD);
  }

  @Override
  protected int leaseSeconds() {
    return RULE.hiddenSeconds();
  }

  @Override
  protected void advance(Duration duration) {
    rig.clock().advance(duration);
  }

  @Test
  void deliversFirstWhatHasBeenVisibleLongest() {
    RunQueue queue = queue();
    queue.send(TWO, 0);
    Ticket taken = queue.receive(1, 0).getFirst();
    queue.send(ONE, 0);
    rig.clock().advance(Duration.ofSeconds(1));
    queue.extend(taken, 0);

    assertEquals(List.of(ONE, TWO), queue.receive(10, 0).stream().map(Ticket::run).toList());
  }

  @Test
  void deliversItemsOnceNothingElseWaits() {
    SqliteRunQueue queue = rig.store().queue(RULE);
    queue.send(QueueMessage.ofItem(ONE), 0);
    rig.clock().advance(Duration.ofSeconds(1));
    queue.send(TWO, 0);

    Ticket first = queue.receive(10, 0).getFirst();
    Ticket item = queue.receive(10, 0).getFirst();

    assertEquals(List.of(TWO, ONE), List.of(first.run(), item.run()));
    assertEquals(new RunQueue.Depth(0, 2), queue.depth());
    queue.giveBack();
    assertEquals(new RunQueue.Depth(2, 0), queue.depth());
    assertEquals(TWO, queue.receive(1, 0).getFirst().run());
  }

  @Test
  void deliversACopyOfAnItemsMessageBehindOthersToo() {
    RunQueue queue = queue();
    queue.send(QueueMessage.ofItem(ONE), 0);
    Ticket item = queue.receive(1, 0).getFirst();
    Optional<Sighting> seen = Optional.of(new Sighting(item.id(), 7));
    queue.send(new QueueMessage(ONE, seen, true), 50);
    queue.delete(item);
    rig.clock().advance(Duration.ofSeconds(50));
    queue.send(TWO, 0);

    assertEquals(TWO, queue.receive(10, 0).getFirst().run());
    Ticket copy = queue.receive(10, 0).getFirst();
    assertEquals(seen, copy.sighting());
    advance(Duration.ofSeconds(leaseSeconds()));
    queue.extend(queue.receive(1, 0).getFirst(), 60);
    assertEquals(copy.messageId(), queue.receive(1, 0).getFirst().messageId());
  }

  /// Two jobs together have no more places than one.
  @Test
  void leavesPlacesToOtherRuns() {
    int most = 3;
    StoreSettings settings =
        new StoreSettings(rig.folder().resolve("few"), StoreRig.RETENTION, false, most);
    try (EmbeddedStore store = EmbeddedStore.open(settings, rig.environment())) {
      SqliteRunQueue queue = store.queue(RULE);
      for (int i = 0; i <= most; i++) {
        queue.send(QueueMessage.ofItem(i % 2 == 0 ? ONE : TWO), 0);
      }
      List<Ticket> held = new ArrayList<>();
      for (int i = 0; i <= most; i++) {
        held.addAll(queue.receive(1, 0));
        rig.clock().advance(ItemPace.STARTING_MAX);
      }
      assertEquals(most, held.size());
      assertEquals(List.of(), queue.receive(1, 5));

      queue.send(ONE, 0);
      assertEquals(1, queue.receive(10, 0).size());
      queue.delete(held.getFirst());
      rig.clock().advance(ItemPace.OTHERS_FIRST);
      assertEquals(1, queue.receive(10, 0).size());
    }
  }

  @Test
  void handsOutItemsOneByOneWhileAnotherRunStarts() {
    SqliteRunQueue queue = rig.store().queue(RULE);
    queue.send(QueueMessage.ofItem(ONE), 0);
    queue.send(QueueMessage.ofItem(TWO), 0);
    queue.send(ONE, 0);
    Ticket other = queue.receive(10, 0).getFirst();

    Ticket item = queue.receive(10, 0).getFirst();
    assertEquals(ONE, item.run());
    assertEquals(List.of(), queue.receive(10, 0));
    queue.delete(item);
    assertEquals(List.of(), queue.receive(10, 0));
    queue.delete(other);
    assertEquals(TWO, queue.receive(10, 1).getFirst().run());
  }

  @Test
  void handsOutItemsOneByOneOnceARunThatWasDelayedIsReceived() {
    RunQueue queue = queue();
    queue.send(ONE, 60);
    queue.send(QueueMessage.ofItem(TWO), 0);
    queue.send(QueueMessage.ofItem(TWO), 0);
    rig.clock().advance(Duration.ofSeconds(60));

    assertEquals(ONE, queue.receive(10, 0).getFirst().run());
    assertEquals(1, queue.receive(10, 0).size());
  }

  @Test
  void isWokenByAnItem() {
    RunQueue queue = queue();
    queue.send(QueueMessage.ofItem(ONE), 5);

    assertEquals(ONE, queue.receive(1, 10).getFirst().run());
  }

  @Test
  void givesBackWhatWasReceivedAndLeavesWhatIsDelayed() {
    SqliteRunQueue queue = rig.store().queue(RULE);
    queue.send(ONE, 0);
    queue.send(TWO, 60);
    Ticket gone = queue.receive(1, 0).getFirst();

    queue.giveBack();

    List<Ticket> again = queue.receive(10, 0);
    assertEquals(List.of(ONE), again.stream().map(Ticket::run).toList());
    queue.delete(gone);
    assertEquals(1, queue.depth().inFlight());
  }

  @Test
  void obeysOnlyTheNewestReceipt() {
    RunQueue queue = queue();
    queue.send(ONE, 0);
    Ticket old = queue.receive(1, 0).getFirst();
    advance(Duration.ofSeconds(leaseSeconds()));
    Ticket current = queue.receive(1, 0).getFirst();

    queue.delete(old);

    assertFalse(queue.extend(old, 10));
    assertTrue(queue.extend(current, 10));
  }

  @Test
  void hidesNothingThatIsVisibleAgain() {
    RunQueue queue = queue();
    queue.send(ONE, 0);
    Ticket ticket = queue.receive(1, 0).getFirst();
    advance(Duration.ofSeconds(leaseSeconds()));

    assertFalse(queue.extend(ticket, 10));
    queue.delete(ticket);
    assertEquals(List.of(), queue.receive(1, 0));
  }

  @Test
  void keepsQueuesApart() {
    queue().send(ONE, 0);
    Ticket ticket = queue().receive(1, 0).getFirst();

    deadLetters().delete(ticket);

    assertFalse(deadLetters().extend(ticket, 10));
    assertEquals(List.of(), deadLetters().receive(1, 0));
    assertTrue(queue().extend(ticket, 10));
  }

  @Test
  void waitsUntilTheNextMessageIsVisibleAndNoLonger() {
    List<Duration> waits = new ArrayList<>();
    rig.waitBy(
        (_, _, longest) -> {
          waits.add(longest);
          rig.clock().advance(longest);
        });
    RunQueue queue = rig.reopened().queue(RULE);
    queue.send(ONE, 7);
    queue.send(TWO, 3);

    assertEquals(TWO, queue.receive(1, 20).getFirst().run());
    assertEquals(ONE, queue.receive(1, 20).getFirst().run());
    assertEquals(List.of(), queue.receive(1, 20));

    assertEquals(
        List.of(Duration.ofSeconds(3), Duration.ofSeconds(4), Duration.ofSeconds(20)), waits);
  }

  @Test
  void looksAgainWhenAMessageIsSentOrGivenBack() throws Exception {
    Semaphore waits = waitsOfThisMachine();
    RunQueue queue = rig.reopened().queue(RULE);
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      Future<List<Ticket>> sent = threads.submit(() -> queue.receive(1, 20));
      waits.acquire();
      queue.send(ONE, 0);
      Ticket first = sent.get().getFirst();

      Future<List<Ticket>> givenBack = threads.submit(() -> queue.receive(1, 20));
      waits.acquire();
      queue.extend(first, 0);

      assertEquals(ONE, first.run());
      assertEquals(first.messageId(), givenBack.get().getFirst().messageId());
    }
  }

  @Test
  void endsAWaitWhenTheStoreCloses() throws Exception {
    Semaphore waits = waitsOfThisMachine();
    RunQueue queue = rig.reopened().queue(RULE);
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      Future<List<Ticket>> waiting = threads.submit(() -> queue.receive(1, 20));
      waits.acquire();
      rig.closeStore();

      ExecutionException end = assertThrows(ExecutionException.class, waiting::get);
      assertInstanceOf(PortUnavailable.class, end.getCause());
    }
    assertThrows(PortUnavailable.class, () -> queue.send(ONE, 0));
  }

  /// Has receives wait on the time of this machine, and a permit for each wait that begins.
  private Semaphore waitsOfThisMachine() {
    Semaphore begun = new Semaphore(0);
    rig.waitBy(
        (bell, seen, longest) -> {
          begun.release();
          bell.await(seen, longest);
        });
    return begun;
  }

  @Test
  void refusesWhatTheServiceWouldRefuse() {
    RunQueue queue = queue();
    assertThrows(IllegalArgumentException.class, () -> queue.send(ONE, -1));
    assertThrows(
        IllegalArgumentException.class, () -> queue.send(ONE, RunQueue.DELAY_SECONDS_MAX + 1));
    assertThrows(IllegalArgumentException.class, () -> queue.receive(0, 0));
    assertThrows(IllegalArgumentException.class, () -> queue.receive(RunQueue.RECEIVE_MAX + 1, 0));
  }
}
