package dev.runyard.agent.hub;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.NoSuchElementException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/// A stream's events between the hub and its reader.
final class QueuedEvents implements EventStream {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition news = lock.newCondition();
  private final Deque<EnrichedEvent> events = new ArrayDeque<>();
  private final Consumer<QueuedEvents> onClose;
  private boolean behind;
  private boolean closed;

  QueuedEvents(Consumer<QueuedEvents> onClose) {
    this.onClose = onClose;
  }

  void add(EnrichedEvent event) {
    lock.lock();
    try {
      behind |= events.size() == BACKLOG_EVENTS_MAX;
      if (!closed && !behind) {
        events.add(event);
      }
      news.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Waits for the next event. Interrupting the reader ends its stream.
  @Override
  public boolean hasNext() {
    lock.lock();
    try {
      while (events.isEmpty() && !closed && !behind) {
        news.await();
      }
      if (events.isEmpty() && behind) {
        throw new IllegalStateException("read too slowly: %d behind".formatted(BACKLOG_EVENTS_MAX));
      }
      return !events.isEmpty();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public EnrichedEvent next() {
    lock.lock();
    try {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      return events.remove();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      news.signalAll();
    } finally {
      lock.unlock();
    }
    onClose.accept(this);
  }
}
