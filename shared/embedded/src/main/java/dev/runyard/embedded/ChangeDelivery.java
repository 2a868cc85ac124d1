package dev.runyard.embedded;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/// Brings one consumer the changes behind its position, one batch at a time, and keeps how far it
/// has come. One that fails gets the same changes again after a pause, however long that goes on:
/// giving them up would lose them, and consumers set aside what they can never handle. After an
/// exception they come one by one, so that those before the one that fails are done with. It holds
/// up no other consumer, each of which has a delivery of its own.
public final class ChangeDelivery implements AutoCloseable {
  /// Changes that are handled at once.
  static final int BATCH_MAX = ChangeFeed.READ_CHANGES_MAX;

  static final Duration PAUSE_MIN = Duration.ofMillis(200);
  static final Duration PAUSE_MAX = Duration.ofSeconds(5);
  private static final int DOUBLINGS_MAX = 10;

  /// Nobody waits longer than this without looking, whatever rang.
  private static final Duration LOOK_AGAIN = Duration.ofMinutes(1);

  /// How long a call of the consumer may take once the delivery is closing.
  private static final Duration CLOSE_MAX = Duration.ofSeconds(10);

  private static final System.Logger LOG = System.getLogger(ChangeDelivery.class.getName());

  private final ChangeFeed feed;
  private final String name;
  private final ChangeFilter filter;
  private final ChangeConsumer consumer;
  private final Duration gather;
  private final Doorbell stop = new Doorbell();
  private final Thread thread;
  private volatile boolean stopping;
  private int failures;
  private boolean singly;

  /// A delivery that brings each change at once.
  ///
  /// @param name of the consumer, under which its position is kept
  public ChangeDelivery(
      ChangeFeed feed, String name, ChangeFilter filter, ChangeConsumer consumer) {
    this(feed, name, filter, consumer, Duration.ZERO);
  }

  /// A delivery whose consumer may be told late.
  ///
  /// @param gather how long a change waits for others, so that what happens to a stream in quick
  ///   succession is handled once
  public ChangeDelivery(
      ChangeFeed feed, String name, ChangeFilter filter, ChangeConsumer consumer, Duration gather) {
    this.feed = feed;
    this.name = name;
    this.filter = filter;
    this.consumer = consumer;
    this.gather = gather;
    this.thread = Thread.ofPlatform().daemon().name("changes-" + name).unstarted(this::run);
  }

  /// Delivers from now on.
  public void start() {
    thread.start();
  }

  private void run() {
    Doorbell bell = feed.bell(filter);
    try {
      while (!stopping) {
        long rings = bell.rings();
        boolean found = step();
        Duration pause = pause();
        if (pause.isPositive()) {
          stop.await(0, pause);
        } else if (!found && !stopping) {
          bell.await(rings, LOOK_AGAIN);
          stop.await(0, gather);
        }
      }
    } catch (InterruptedException _) {
      LOG.log(System.Logger.Level.DEBUG, "{0} stops", thread.getName());
    }
  }

  /// Delivers one batch; false when there was none.
  boolean step() {
    try {
      List<StreamChange> changes = feed.after(feed.position(name), filter, singly ? 1 : BATCH_MAX);
      if (changes.isEmpty()) {
        failures = 0;
        return false;
      }
      deliver(changes);
      return true;
    } catch (RuntimeException | Error e) {
      failures++;
      LOG.log(System.Logger.Level.WARNING, "{0} fail and come again: {1}", thread.getName(), e);
      return true;
    }
  }

  private void deliver(List<StreamChange> changes) {
    OptionalLong again;
    try {
      again = consumer.handle(changes);
      singly = false;
    } catch (RuntimeException | Error e) {
      singly = true;
      throw e;
    }
    OptionalLong done =
        changes.stream()
            .mapToLong(StreamChange::position)
            .filter(position -> again.isEmpty() || position < again.getAsLong())
            .max();
    if (done.isPresent()) {
      feed.keep(name, done.getAsLong());
      failures = 0;
    }
    if (again.isPresent()) {
      failures++;
    }
  }

  /// The pause before the next try; none unless the last one failed.
  Duration pause() {
    if (failures == 0) {
      return Duration.ZERO;
    }
    Duration pause = PAUSE_MIN.multipliedBy(1L << Math.min(failures - 1, DOUBLINGS_MAX));
    return pause.compareTo(PAUSE_MAX) > 0 ? PAUSE_MAX : pause;
  }

  /// Ends when the call of the consumer that is under way returns, which it is given some time for.
  @Override
  public void close() {
    stopping = true;
    stop.ring();
    feed.bell(filter).ring();
    try {
      if (thread.getState() != Thread.State.NEW && !thread.join(CLOSE_MAX)) {
        thread.interrupt();
      }
    } catch (InterruptedException _) {
      thread.interrupt();
      Thread.currentThread().interrupt();
    }
  }
}
