package dev.runyard.core.queue;

import java.util.List;

/// What one call of a queue may ask for, whatever keeps the queue.
public final class QueueLimits {
  private QueueLimits() {}

  public static void checkReceive(int max) {
    if (max < 1 || max > RunQueue.RECEIVE_MAX) {
      throw new IllegalArgumentException("a receive takes 1 to " + RunQueue.RECEIVE_MAX);
    }
  }

  public static void checkTogether(List<Ticket> tickets) {
    if (tickets.size() > RunQueue.TOGETHER_MAX) {
      throw new IllegalArgumentException("one call hides up to " + RunQueue.TOGETHER_MAX);
    }
  }
}
