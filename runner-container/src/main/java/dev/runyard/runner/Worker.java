package dev.runyard.runner;

import dev.runyard.core.fleet.Slot;
import dev.runyard.core.fleet.SlotHold;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.queue.Ticket;
import dev.runyard.runner.attempt.Attempts;
import dev.runyard.runner.log.RunnerLog;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Takes runs from the queue and works on several at a time, each on a thread, until it has been
/// idle for too long, is too old, has lost its slot, is told to stop, has an agent that cannot be
/// ended, or meets a run that only a newer release can execute: then it takes no further run. Only
/// a stop ends runs. Without a slot it does nothing.
public final class Worker {
  static final int RECEIVE_WAIT_SECONDS = 10;

  /// How often a starting runner tries to take its slot if the table does not answer.
  private static final int TAKE_TRIES_MAX = Slot.START_SECONDS_MAX;

  private static final Duration UNREACHABLE_PAUSE = Duration.ofSeconds(1);

  private final RunQueue queue;
  private final Attempts attempts;
  private final WorkerTerms terms;
  private final SlotHold slot;
  private final InstantSource clock;
  private final RunnerLog log;
  private final Semaphore free;
  private volatile boolean draining;
  private volatile boolean leaving;
  private volatile boolean over;
  private volatile Instant busyAt;

  /// A worker that is not working yet.
  public Worker(
      RunQueue queue,
      Attempts attempts,
      WorkerTerms terms,
      SlotHold slot,
      InstantSource clock,
      RunnerLog log) {
    this.queue = queue;
    this.attempts = attempts;
    this.terms = terms;
    this.slot = slot;
    this.clock = clock;
    this.log = log;
    this.free = new Semaphore(terms.runsMax());
    this.busyAt = clock.instant();
  }

  /// Works until there is a reason to exit. Returns when every attempt is over and the slot is
  /// given back.
  public void run() {
    if (!takeSlot()) {
      releaseSlot();
      over = true;
      return;
    }
    ExecutorService threads =
        Executors.newCachedThreadPool(Thread.ofPlatform().daemon().name("attempt-", 0).factory());
    ScheduledExecutorService renewing =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("slot").factory());
    try {
      var _ =
          renewing.scheduleWithFixedDelay(
              this::renewSlot, Slot.RENEW_SECONDS, Slot.RENEW_SECONDS, TimeUnit.SECONDS);
      work(threads);
      leaving = true;
      renewing.execute(this::renewSlot);
    } finally {
      threads.shutdown();
      awaitEnd(threads);
      renewing.shutdown();
      awaitEnd(renewing);
      releaseSlot();
      over = true;
    }
  }

  private boolean takeSlot() {
    for (int i = 0; i < TAKE_TRIES_MAX && !draining; i++) {
      try {
        if (slot.take()) {
          return true;
        }
        log.info("no_slot", Map.of("slot", slot.number()));
        return false;
      } catch (PortUnavailable e) {
        log.failed("slot_unreachable", e);
        LockSupport.parkNanos(UNREACHABLE_PAUSE.toNanos());
      }
    }
    return false;
  }

  private void renewSlot() {
    try {
      slot.renew(!leaving && !draining, attempts.unqueued(), attempts.queued());
    } catch (RuntimeException e) {
      log.failed("slot_not_renewed", e);
    }
  }

  /// If that fails, the slot is freed when this process is found to be gone.
  private void releaseSlot() {
    boolean interrupted = Thread.interrupted();
    try {
      slot.release();
    } catch (RuntimeException e) {
      log.failed("slot_not_released", e);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /// A worker that has been idle for long enough looks for a run once more: it may have stood still
  /// for that time, and not have looked. One that stays then is idle for as long before it asks
  /// again.
  private void work(ExecutorService threads) {
    Instant begin = clock.instant();
    busyAt = begin;
    boolean lookedLast = false;
    while (!draining) {
      if (free.availablePermits() < terms.runsMax()) {
        busyAt = clock.instant();
      }
      boolean idle = since(busyAt).compareTo(terms.idle()) >= 0;
      if (idle && lookedLast) {
        if (!stays()) {
          log.info("idle", Map.of("seconds", terms.idle().toSeconds()));
          return;
        }
        busyAt = clock.instant();
        idle = false;
      }
      if (slot.lost()) {
        log.info("slot_lost", Map.of("slot", slot.number()));
        return;
      }
      if (since(begin).compareTo(terms.ageMax()) >= 0) {
        log.info("too_old", Map.of("seconds", terms.ageMax().toSeconds()));
        return;
      }
      if (slot.mayTake()) {
        lookedLast = !take(threads, waitSeconds()) && idle;
      } else {
        lookedLast = idle;
        LockSupport.parkNanos(UNREACHABLE_PAUSE.toNanos());
      }
    }
  }

  /// Where that is not known the worker stays: a runner too many is better than one too few.
  private boolean stays() {
    try {
      return slot.stays(terms.runnersMin());
    } catch (PortUnavailable e) {
      log.failed("slot_unreachable", e);
      return true;
    }
  }

  private Duration since(Instant earlier) {
    return Duration.between(earlier, clock.instant());
  }

  /// Waits even if interrupted: an attempt that is cut short writes no end.
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

  /// Takes no further run, ends the agents, and lets [#run] return. The log says so where that cuts
  /// work short, because its runs then say only that somebody stopped their runner.
  public void drain() {
    if (!over) {
      log.info("told_to_stop", Map.of());
    }
    draining = true;
    attempts.drain();
  }

  private int waitSeconds() {
    long left = terms.idle().minus(since(busyAt)).toSeconds();
    return Math.clamp(left, 1, RECEIVE_WAIT_SECONDS);
  }

  /// True if it took a run.
  private boolean take(ExecutorService threads, int waitSeconds) {
    try {
      if (!free.tryAcquire(1, TimeUnit.SECONDS)) {
        return false;
      }
      if (!slot.mayTake()) {
        free.release();
        return false;
      }
      int more = Math.min(free.availablePermits(), RunQueue.RECEIVE_MAX - 1);
      int slots = 1 + (free.tryAcquire(more) ? more : 0);
      List<Ticket> tickets = receive(slots, waitSeconds);
      free.release(slots - tickets.size());
      tickets.forEach(ticket -> threads.execute(() -> work(ticket)));
      return !tickets.isEmpty();
    } catch (InterruptedException _) {
      draining = true;
      return false;
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

  private void leave(String why, Ticket ticket) {
    log.info(why, Map.of("run_id", ticket.run().runId()));
    draining = true;
  }

  private void work(Ticket ticket) {
    try {
      switch (attempts.work(ticket)) {
        case STUCK -> leave("agent_stuck", ticket);
        case OUTDATED -> leave("outdated", ticket);
        case ENDED, NOT_NEEDED, DEFERRED, FENCED, CUT_OFF -> {}
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      log.failed("attempt_broke", e);
    } finally {
      busyAt = clock.instant();
      free.release();
    }
  }
}
