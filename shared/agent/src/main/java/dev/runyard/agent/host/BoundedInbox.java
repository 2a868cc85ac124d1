package dev.runyard.agent.host;

import dev.runyard.agent.AgentInbox;
import dev.runyard.agent.InjectedMessage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// An inbox that holds a bounded number of messages until they are taken. Thread-safe.
public final class BoundedInbox implements AgentInbox, AutoCloseable {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition news = lock.newCondition();
  private final Deque<Waiting> waiting = new ArrayDeque<>();
  private final int messagesMax;
  private boolean closed;

  /// @param messagesMax most messages that are not yet taken
  public BoundedInbox(int messagesMax) {
    this.messagesMax = messagesMax;
  }

  private record Waiting(InjectedMessage message, Runnable onTaken) {}

  /// Adds a message after the others. False when there is no room, or the inbox has ended.
  ///
  /// @param onTaken called when the message is handed out, in that order; must not wait
  public boolean offer(InjectedMessage message, Runnable onTaken) {
    lock.lock();
    try {
      boolean fits = !closed && waiting.size() < messagesMax;
      if (fits) {
        waiting.add(new Waiting(message, onTaken));
        news.signal();
      }
      return fits;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Optional<InjectedMessage> pop() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (waiting.isEmpty() && !closed) {
        news.await();
      }
      return closed ? Optional.empty() : Optional.of(take());
    } finally {
      lock.unlock();
    }
  }

  @Override
  public List<InjectedMessage> drain() {
    List<InjectedMessage> all = new ArrayList<>();
    lock.lock();
    try {
      while (!waiting.isEmpty() && !closed) {
        all.add(take());
      }
    } finally {
      lock.unlock();
    }
    return List.copyOf(all);
  }

  private InjectedMessage take() {
    Waiting next = waiting.remove();
    next.onTaken().run();
    return next.message();
  }

  @Override
  public Iterator<InjectedMessage> iterator() {
    return new Popping();
  }

  /// Ends the inbox: messages that were not taken are no longer handed out.
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      news.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private final class Popping implements Iterator<InjectedMessage> {
    private @Nullable InjectedMessage next;

    @Override
    public boolean hasNext() {
      try {
        if (next == null) {
          next = pop().orElse(null);
        }
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
      return next != null;
    }

    @Override
    public InjectedMessage next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      InjectedMessage message = next;
      next = null;
      if (message == null) {
        throw new NoSuchElementException();
      }
      return message;
    }
  }
}
