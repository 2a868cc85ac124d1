package dev.runyard.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.problem.PortUnavailable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sqlite.SQLiteErrorCode;

@ExtendWith(StoreRig.Given.class)
class ChangeDeliveryTest {
  private static final RunKey ONE = SampleRun.key(1);
  private static final RunKey TWO = SampleRun.key(2);
  private final StoreRig rig;

  ChangeDeliveryTest(StoreRig rig) {
    this.rig = rig;
  }

  @Test
  void showsAppendsInTheirOrder() {
    appendSome();
    ChangeFeed feed = rig.store().changes();

    List<StreamChange> all = feed.after(0, ChangeFilter.ALL, 100);

    StreamChange closing =
        new StreamChange(4, TWO.partition(), 1, 1, Optional.of("failed"), true, StoreRig.START);
    assertEquals(
        new StreamChange(1, ONE.partition(), 1, 1, Optional.of("queued"), false, StoreRig.START),
        all.getFirst());
    assertEquals(closing, all.get(3));
    assertEquals(List.of(1L, 2L, 3L, 4L, 5L), positions(all));
    assertEquals(List.of(1L, 3L, 4L), positions(feed.after(0, ChangeFilter.STATE, 100)));
    assertEquals(List.of(closing), feed.after(3, ChangeFilter.STATE, 1));
    assertEquals(List.of(), feed.after(4, ChangeFilter.STATE, 1));
  }

  @Test
  void goesOnWhereItStoodAndForgetsNoConsumer() {
    appendSome();
    Recorder first = new Recorder();
    while (delivery("first", first).step()) {}
    append(ONE, 5, "running");
    long next = rig.reopened().changes().after(4, ChangeFilter.STATE, 1).getFirst().position();
    Recorder later = new Recorder();
    Recorder second = new Recorder();

    while (delivery("first", later).step()) {}
    while (delivery("second", second).step()) {}

    assertEquals(List.of(List.of(1L, 3L, 4L)), first.seen);
    assertEquals(List.of(List.of(next)), later.seen);
    assertEquals(List.of(List.of(1L, 3L, 4L, next)), second.seen);
  }

  @Test
  void tellsAConsumerAtMostABatchAtOnce() {
    for (int at = 1; at <= ChangeDelivery.BATCH_MAX + 5; at++) {
      append(ONE, at, "state");
    }
    Recorder recorder = new Recorder();
    ChangeDelivery delivery = delivery("one", recorder);

    assertTrue(delivery.step());
    assertTrue(delivery.step());
    assertFalse(delivery.step());

    assertEquals(
        List.of(ChangeDelivery.BATCH_MAX, 5), recorder.seen.stream().map(List::size).toList());
  }

  @Test
  void aConsumerThatFailsGetsTheSameChangesOneByOneUntilItTakesThem() {
    appendSome();
    Recorder recorder = new Recorder();
    recorder.failing = 3;
    ChangeDelivery delivery = delivery("one", recorder);

    for (int i = 0; i < 5; i++) {
      assertTrue(delivery.step());
    }
    assertEquals(1, rig.store().changes().position("one"));
    recorder.failing = 0;
    while (delivery.step()) {}

    assertEquals(
        List.of(
            List.of(1L, 3L, 4L),
            List.of(1L),
            List.of(3L, 4L),
            List.of(3L),
            List.of(3L),
            List.of(3L),
            List.of(4L)),
        recorder.seen);
    assertEquals(4, rig.store().changes().position("one"));
  }

  @Test
  void aConsumerMayBeDoneWithSome() {
    appendSome();
    Recorder recorder = new Recorder();
    recorder.again = 4;
    ChangeDelivery delivery = delivery("one", recorder);

    delivery.step();
    delivery.step();
    assertEquals(3, rig.store().changes().position("one"));
    recorder.again = 0;
    delivery.step();

    assertEquals(List.of(List.of(1L, 3L, 4L), List.of(4L), List.of(4L)), recorder.seen);
    assertFalse(delivery.step());
  }

  @Test
  void pausesLongerAfterEachFailureUpToABound() {
    appendSome();
    Recorder recorder = new Recorder();
    recorder.failing = 1;
    ChangeDelivery delivery = delivery("one", recorder);

    List<Duration> pauses = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      delivery.step();
      pauses.add(delivery.pause());
    }

    assertEquals(ChangeDelivery.PAUSE_MIN, pauses.get(0));
    assertEquals(ChangeDelivery.PAUSE_MIN.multipliedBy(2), pauses.get(1));
    assertEquals(ChangeDelivery.PAUSE_MAX, pauses.getLast());

    recorder.failing = 0;
    while (delivery.step()) {}
    assertEquals(Duration.ZERO, delivery.pause());
  }

  @Test
  void deliversAgainAfterARestartWhatWasNotNotedAsDone() {
    append(ONE, 1, "queued");
    Recorder recorder = new Recorder();
    ChangeDelivery delivery = delivery("one", recorder);
    assertTrue(delivery.step());
    rig.connections()
        .failNextCommit(
            SQLiteErrorCode.SQLITE_IOERR, FaultyConnections.Moment.BEFORE_IT_IS_APPLIED);
    assertThrows(PortUnavailable.class, () -> append(ONE, 2, "running"));

    assertFalse(delivery.step());
    rig.reopened();
    assertTrue(delivery("one", recorder).step());
    assertFalse(delivery("one", recorder).step());

    assertEquals(List.of(List.of(1L), List.of(1L)), recorder.seen);
  }

  @Test
  void oneThatFailsHoldsUpNoOther() throws Exception {
    BlockingQueue<Long> told = new LinkedBlockingQueue<>();
    ChangeFeed feed = rig.store().changes();
    try (ChangeDelivery failing =
            new ChangeDelivery(
                feed,
                "failing",
                ChangeFilter.STATE,
                _ -> {
                  throw new IllegalStateException("planned by a test");
                });
        ChangeDelivery other =
            new ChangeDelivery(
                feed,
                "other",
                ChangeFilter.STATE,
                changes -> {
                  told.addAll(positions(changes));
                  return OptionalLong.empty();
                })) {
      failing.start();
      other.start();
      append(ONE, 1, "queued");
      assertEquals(1, told.take());
      append(ONE, 2, "running");
      assertEquals(2, told.take());
    }
    assertEquals(0, feed.position("failing"));
  }

  private ChangeDelivery delivery(String name, ChangeConsumer consumer) {
    return new ChangeDelivery(rig.store().changes(), name, ChangeFilter.STATE, consumer);
  }

  private void appendSome() {
    EventLog log = rig.store().events();
    append(ONE, 1, "queued");
    log.append(SampleRun.output(ONE, 2, "text"));
    append(ONE, 3, "running");
    log.append(SampleRun.state(TWO, 1, "failed", true));
    log.append(SampleRun.output(ONE, 4, "text"));
    log.append(SampleRun.output(ONE, 4, "collides"));
  }

  private void append(RunKey run, long at, String state) {
    rig.store().events().append(SampleRun.state(run, at, state, false));
  }

  private static List<Long> positions(List<StreamChange> changes) {
    return changes.stream().map(StreamChange::position).toList();
  }

  /// Notes what it is told, and fails as it should.
  private static final class Recorder implements ChangeConsumer {
    private final List<List<Long>> seen = new ArrayList<>();
    private long failing;
    private long again;

    @Override
    public OptionalLong handle(List<StreamChange> changes) {
      List<Long> positions = positions(changes);
      seen.add(positions);
      if (positions.contains(failing)) {
        throw new IllegalStateException("planned by a test");
      }
      return positions.contains(again) ? OptionalLong.of(again) : OptionalLong.empty();
    }
  }
}
