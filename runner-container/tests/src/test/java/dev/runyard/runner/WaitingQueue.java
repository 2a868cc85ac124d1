package dev.runyard.runner;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.memory.MemoryRunQueue;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.queue.QueueMessage;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.queue.Ticket;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// The run queue in memory, whose receive waits for a message as a real one does.
public final class WaitingQueue implements RunQueue {
  private final MemoryRunQueue memory =
      new MemoryRunQueue(InstantSource.system(), Limits.LEASE_SECONDS);
  private final Semaphore sent = new Semaphore(0);
  private final AtomicInteger refused = new AtomicInteger();
  private volatile boolean down;
  private volatile Runnable onReceive = () -> {};

  /// No call is executed or answered.
  void down(boolean is) {
    down = is;
  }

  /// Calls that were not answered.
  int refused() {
    return refused.get();
  }

  /// Runs after messages were taken and before they are handed over.
  void onReceive(Runnable happening) {
    onReceive = happening;
  }

  /// Runs with a message.
  public List<RunKey> runs() {
    return memory.runs();
  }

  @Override
  public void send(QueueMessage message, int delaySeconds) {
    answer();
    memory.send(message, delaySeconds);
    sent.release();
  }

  @Override
  public List<Ticket> receive(int max, int waitSeconds) {
    answer();
    List<Ticket> tickets = memory.receive(max, 0);
    if (tickets.isEmpty()) {
      try {
        if (sent.tryAcquire(waitSeconds, TimeUnit.SECONDS)) {
          tickets = memory.receive(max, 0);
        }
      } catch (InterruptedException e) {
        throw new PortUnavailable("the receive was interrupted", e);
      }
    }
    if (!tickets.isEmpty()) {
      onReceive.run();
    }
    return tickets;
  }

  @Override
  public List<Ticket> extend(List<Ticket> tickets, int seconds) {
    answer();
    List<Ticket> lost = memory.extend(tickets, seconds);
    sent.release();
    return lost;
  }

  @Override
  public void delete(Ticket ticket) {
    answer();
    memory.delete(ticket);
  }

  @Override
  public Depth depth() {
    return memory.depth();
  }

  private void answer() {
    if (down) {
      refused.incrementAndGet();
      throw new PortUnavailable("the queue is down");
    }
  }
}
