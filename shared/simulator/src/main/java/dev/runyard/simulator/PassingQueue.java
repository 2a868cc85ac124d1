package dev.runyard.simulator;

import dev.runyard.core.queue.QueueMessage;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.queue.Ticket;
import java.util.List;

/// Passes all on to another queue, for those that do one thing otherwise.
abstract class PassingQueue implements RunQueue {
  private final RunQueue queue;

  PassingQueue(RunQueue queue) {
    this.queue = queue;
  }

  @Override
  public void send(QueueMessage message, int delaySeconds) {
    queue.send(message, delaySeconds);
  }

  @Override
  public List<Ticket> receive(int max, int waitSeconds) {
    return queue.receive(max, waitSeconds);
  }

  @Override
  public List<Ticket> extend(List<Ticket> tickets, int seconds) {
    return queue.extend(tickets, seconds);
  }

  @Override
  public void delete(Ticket ticket) {
    queue.delete(ticket);
  }

  @Override
  public Depth depth() {
    return queue.depth();
  }
}
