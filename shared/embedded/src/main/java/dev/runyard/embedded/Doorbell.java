package dev.runyard.embedded;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Rung when there may be something new. Who waits for it notes the rings, looks, and waits for
/// another ring if there was nothing; so none is missed, and nobody looks in vain. Thread-safe.
final class Doorbell implements Bell {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition rung = lock.newCondition();
  private long rings;

  /// How often it was rung.
  long rings() {
    lock.lock();
    try {
      return rings;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void ring() {
    lock.lock();
    try {
      rings++;
      rung.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Waits until it was rung more often than `seen`, no longer than `longest`.
  void await(long seen, Duration longest) throws InterruptedException {
    lock.lock();
    try {
      long left = longest.toNanos();
      while (rings == seen && left > 0) {
        left = rung.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }
}
