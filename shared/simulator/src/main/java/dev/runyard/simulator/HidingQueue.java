package dev.runyard.simulator;

import dev.runyard.core.queue.QueueMessage;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.queue.Ticket;

/// The defect of [Defect#DEFERRAL_COSTS_A_RECEIVE]: in the place of a delayed copy the message
/// itself is hidden, as one attempt uses it.
final class HidingQueue extends PassingQueue {
  private int hideSeconds;

  HidingQueue(RunQueue queue) {
    super(queue);
  }

  @Override
  public void send(QueueMessage message, int delaySeconds) {
    if (message.sighting().isEmpty()) {
      super.send(message, delaySeconds);
    } else {
      hideSeconds = delaySeconds;
    }
  }

  @Override
  public void delete(Ticket ticket) {
    if (hideSeconds == 0) {
      super.delete(ticket);
    } else {
      extend(ticket, hideSeconds);
    }
  }
}
