package dev.runyard.local.events;

import dev.runyard.local.threads.StackThreads;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/// Delivers one shard to one function, one batch at a time. The records of a lagging function wait
/// here, so that it holds up neither the other functions nor, until the backlog is full, the
/// reading.
final class ShardConsumer {
  private static final Logger LOG = System.getLogger(ShardConsumer.class.getName());
  static final int BACKLOG_RECORDS_MAX = 10_000;

  private sealed interface Item {
    record Entry(StreamEntry entry) implements Item {}

    record End() implements Item {}
  }

  private final StreamMapping mapping;
  private final BatchDelivery delivery;
  private final Optional<String> after;
  private final BlockingQueue<Item> backlog = new ArrayBlockingQueue<>(BACKLOG_RECORDS_MAX);
  private final Thread thread;
  private volatile boolean stopping;

  /// Starts delivering.
  ///
  /// @param after the last record that was already handled
  ShardConsumer(StreamMapping mapping, BatchDelivery delivery, Optional<String> after) {
    this.mapping = mapping;
    this.delivery = delivery;
    this.after = after;
    this.thread = StackThreads.start("deliver-" + mapping.function().name(), this::run);
  }

  /// Takes a record if it is new and matches the filter; waits while the backlog is full.
  void offer(StreamEntry entry) throws InterruptedException {
    if (after.filter(done -> !isNewer(entry, done)).isPresent() || !mapping.takes(entry)) {
      return;
    }
    if (!stopping) {
      backlog.put(new Item.Entry(entry));
    }
  }

  /// Waits until everything offered is done.
  void drain() throws InterruptedException {
    backlog.put(new Item.End());
    thread.join();
  }

  /// Asks to end as soon as the function returns; the rest is delivered after a restart.
  void stop() {
    stopping = true;
    backlog.clear();
    backlog.offer(new Item.End());
  }

  /// Waits for the end, and interrupts the function when it takes longer than `limit`.
  void awaitStopped(Duration limit) throws InterruptedException {
    if (!thread.join(limit)) {
      thread.interrupt();
    }
  }

  private static boolean isNewer(StreamEntry entry, String done) {
    return entry.position().compareTo(StreamEntry.position(done)) > 0;
  }

  private void run() {
    try {
      while (!stopping) {
        switch (backlog.take()) {
          case Item.End() -> {
            return;
          }
          case Item.Entry(StreamEntry first) -> {
            List<StreamEntry> batch = new ArrayList<>(List.of(first));
            boolean ended = fill(batch);
            delivery.deliver(batch);
            if (ended) {
              return;
            }
          }
        }
      }
    } catch (InterruptedException e) {
      LOG.log(Level.DEBUG, "{0} stops", Thread.currentThread().getName());
    }
  }

  /// Adds the available records, or those that come within the batching window; true at the end of
  /// the shard.
  private boolean fill(List<StreamEntry> batch) throws InterruptedException {
    long end = System.nanoTime() + mapping.settings().batchingWindow().toNanos();
    while (batch.size() < mapping.settings().batchSize()) {
      Item next = backlog.poll(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
      switch (next) {
        case null -> {
          return false;
        }
        case Item.End() -> {
          return true;
        }
        case Item.Entry(StreamEntry entry) -> batch.add(entry);
      }
    }
    return false;
  }
}
