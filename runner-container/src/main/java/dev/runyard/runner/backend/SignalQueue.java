package dev.runyard.runner.backend;

import dev.runyard.core.attempt.AgentSignal;
import dev.runyard.core.attempt.Backlog;
import dev.runyard.core.event.EventSize;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// The signals of a run, in order, between its agent and its attempt. It is bounded by [Backlog]: a
/// full queue makes the agent wait. Thread-safe.
final class SignalQueue {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition room = lock.newCondition();
  private final Condition news = lock.newCondition();
  private final Deque<AgentSignal> signals = new ArrayDeque<>();
  private final Predicate<AgentSignal> admitted;
  private int bytes;
  private boolean closed;
  private boolean abandoned;

  /// @param admitted which signals are put; called once for each, in order, never concurrently
  SignalQueue(Predicate<AgentSignal> admitted) {
    this.admitted = admitted;
  }

  /// Puts a signal, waiting while the queue is full; drops it once the queue is over.
  void put(AgentSignal signal) throws InterruptedException {
    lock.lock();
    try {
      while (Backlog.room(signals.size(), bytes) == 0 && !closed && !abandoned) {
        room.await();
      }
      if (!closed && !abandoned && admitted.test(signal)) {
        signals.add(signal);
        bytes += bytes(signal);
        news.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /// Puts a signal however full the queue is; drops it once the queue is closed.
  void putAtOnce(AgentSignal.Took signal) {
    lock.lock();
    try {
      if (!closed) {
        signals.add(signal);
        news.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /// Puts the first signals, which are few: they need no room.
  void putFirst(List<AgentSignal> first) {
    lock.lock();
    try {
      for (AgentSignal signal : first) {
        if (admitted.test(signal)) {
          signals.add(signal);
          bytes += bytes(signal);
        }
      }
      news.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Puts the last signals, however full the queue is. Only the first call counts.
  void close(Supplier<List<AgentSignal>> last) {
    lock.lock();
    try {
      if (!closed) {
        closed = true;
        signals.addAll(last.get());
        news.signalAll();
        room.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /// True once nothing more comes.
  boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /// True once further signals have no effect: the queue is closed, or they are dropped.
  boolean isOver() {
    lock.lock();
    try {
      return closed || abandoned;
    } finally {
      lock.unlock();
    }
  }

  /// The next signals, at most `max`, without waiting.
  List<AgentSignal> take(int max) {
    List<AgentSignal> taken = new ArrayList<>();
    lock.lock();
    try {
      while (taken.size() < max && !signals.isEmpty()) {
        AgentSignal next = signals.remove();
        bytes -= bytes(next);
        taken.add(next);
      }
      room.signalAll();
    } finally {
      lock.unlock();
    }
    return taken;
  }

  /// Waits until there is something to take or `other`, at most `wait`.
  void awaitSignal(Duration wait, BooleanSupplier other) throws InterruptedException {
    long nanos = wait.toNanos();
    lock.lock();
    try {
      while (signals.isEmpty() && !other.getAsBoolean() && nanos > 0) {
        nanos = news.awaitNanos(nanos);
      }
    } finally {
      lock.unlock();
    }
  }

  /// Lets whoever waits ask again.
  void wake() {
    lock.lock();
    try {
      news.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Drops all present and future signals, except inputs and the end. Returns when the queue is
  /// closed, or after `wait`, or when interrupted.
  void abandon(Duration wait) {
    long nanos = wait.toNanos();
    lock.lock();
    try {
      abandoned = true;
      signals.removeIf(AgentSignal.Output.class::isInstance);
      bytes = 0;
      room.signalAll();
      while (!closed && nanos > 0) {
        nanos = news.awaitNanos(nanos);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  private static int bytes(AgentSignal signal) {
    return switch (signal) {
      case AgentSignal.Output output -> EventSize.atMost(output.event());
      case AgentSignal.Asked asked -> EventSize.atMost(asked.question().asked(Instant.EPOCH));
      case AgentSignal.Took _, AgentSignal.Ended _ -> 0;
    };
  }
}
