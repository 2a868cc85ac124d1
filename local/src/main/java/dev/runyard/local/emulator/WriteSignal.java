package dev.runyard.local.emulator;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Wakes readers of streams as soon as a write was answered, so that they need not poll often. A
/// write between a reader's last read and its wait is not missed: the wait then ends at once.
final class WriteSignal {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition written = lock.newCondition();
  private long writes;

  void raise() {
    lock.lock();
    try {
      writes++;
      written.signalAll();
    } finally {
      lock.unlock();
    }
  }

  long writes() {
    lock.lock();
    try {
      return writes;
    } finally {
      lock.unlock();
    }
  }

  /// Waits until there were more writes than `seen`, at most `millis`.
  void await(long seen, long millis) throws InterruptedException {
    lock.lock();
    try {
      long left = TimeUnit.MILLISECONDS.toNanos(millis);
      while (writes <= seen && left > 0) {
        left = written.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }
}
