package dev.runyard.runner;

import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.queue.Ticket;
import dev.runyard.runner.attempt.Attempts;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Takes runs from the queue and works on several at a time, each on a virtual thread, until it has
/// been idle for too long or is told to stop.
public final class Worker {
  static final int RECEIVE_WAIT_SECONDS = 10;
  private static final Duration UNREACHABLE_PAUSE = Duration.ofSeconds(1);

  private final RunQueue queue;
  private final Attempts attempts;
  private final int runsMax;
  private final Duration idle;
  private final InstantSource clock;
  private final RunnerLog log;
  private final Semaphore free;
  private volatile boolean draining;

  /// A worker that is not working yet.
  ///
  /// @param runsMax runs at a time
  /// @param idle leaves when it had nothing to do for this long
  public Worker(
      RunQueue queue,
      Attempts attempts,
      int runsMax,
      Duration idle,
      InstantSource clock,
      RunnerLog log) {
    this.queue = queue;
    this.attempts = attempts;
    this.runsMax = runsMax;
    this.idle = idle;
    this.clock = clock;
    this.log = log;
    this.free = new Semaphore(runsMax);
  }

  /// Works until idle or drained. Returns when every attempt is over.
  public void run() {
    ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    try {
      work(threads);
    } finally {
      threads.shutdown();
      awaitEnd(threads);
    }
  }

  private void work(ExecutorService threads) {
    Instant busyAt = clock.instant();
    while (!draining) {
      if (free.availablePermits() < runsMax) {
        busyAt = clock.instant();
      } else if (Duration.between(busyAt, clock.instant()).compareTo(idle) >= 0) {
        log.info("idle", Map.of("seconds", idle.toSeconds()));
        return;
      }
      take(threads, idleLeft(busyAt));
    }
  }

  /// Waits whatever interrupts it: an attempt that is cut short writes no end.
  private static void awaitEnd(ExecutorService threads) {
    boolean ended = false;
    while (!ended) {
      try {
        ended = threads.awaitTermination(1, TimeUnit.HOURS);
      } catch (InterruptedException _) {
        ended = threads.isTerminated();
      }
    }
  }

  /// Takes no further run, ends the agents, and lets [#run] return.
  public void drain() {
    draining = true;
    attempts.drain();
  }

  private int idleLeft(Instant busyAt) {
    long left = idle.minus(Duration.between(busyAt, clock.instant())).toSeconds();
    return Math.clamp(left, 1, RECEIVE_WAIT_SECONDS);
  }

  private void take(ExecutorService threads, int waitSeconds) {
    try {
      if (!free.tryAcquire(1, TimeUnit.SECONDS)) {
        return;
      }
      int more = Math.min(free.availablePermits(), RunQueue.RECEIVE_MAX - 1);
      int slots = 1 + (free.tryAcquire(more) ? more : 0);
      List<Ticket> tickets = receive(slots, waitSeconds);
      free.release(slots - tickets.size());
      tickets.forEach(ticket -> threads.execute(() -> work(ticket)));
    } catch (InterruptedException _) {
      draining = true;
    }
  }

  private List<Ticket> receive(int slots, int waitSeconds) {
    try {
      List<Ticket> tickets = queue.receive(slots, waitSeconds);
      if (draining) {
        tickets.forEach(ticket -> queue.extend(ticket, 0));
        return List.of();
      }
      return tickets;
    } catch (PortUnavailable e) {
      if (!draining) {
        log.failed("queue_unreachable", e);
        LockSupport.parkNanos(UNREACHABLE_PAUSE.toNanos());
      }
      return List.of();
    }
  }

  private void work(Ticket ticket) {
    try {
      attempts.work(ticket);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      log.failed("attempt_broke", e);
    } finally {
      free.release();
    }
  }
}
