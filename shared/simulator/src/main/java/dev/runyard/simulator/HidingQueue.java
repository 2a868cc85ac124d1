package dev.runyard.simulator;

import dev.runyard.core.queue.QueueMessage;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.queue.Ticket;
import java.util.List;

/// The defect of [Defect#DEFERRAL_COSTS_A_RECEIVE]: in the place of a delayed copy the message
/// itself is hidden, as one attempt uses it.
final class HidingQueue implements RunQueue {
  private final RunQueue queue;
  private int hideSeconds;

  HidingQueue(RunQueue queue) {
    this.queue = queue;
  }

  @Override
  public void send(QueueMessage message, int delaySeconds) {
    if (message.sighting().isEmpty()) {
      queue.send(message, delaySeconds);
    } else {
      hideSeconds = delaySeconds;
    }
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
    if (hideSeconds == 0) {
      queue.delete(ticket);
    } else {
      queue.extend(ticket, hideSeconds);
    }
  }

  @Override
  public Depth depth() {
    return queue.depth();
  }
}
