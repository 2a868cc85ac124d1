package dev.runyard.testkit.simulator;

import dev.runyard.core.queue.QueueMessage;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.queue.Ticket;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/// A queue that delivers some messages twice at once, and some later than it could.
final class SimulatedQueue implements RunQueue {
  private static final double DUPLICATE = 0.08;
  private static final double WITHHOLD = 0.1;

  private final RunQueue queue;
  private final Random random;
  private final Deque<Ticket> copies = new ArrayDeque<>();
  private boolean faulty = true;
  private long duplicates;

  SimulatedQueue(RunQueue queue, Random random) {
    this.queue = queue;
    this.random = random;
  }

  void faultsOff() {
    faulty = false;
    copies.clear();
  }

  long duplicates() {
    return duplicates;
  }

  @Override
  public void send(QueueMessage message, int delaySeconds) {
    queue.send(message, delaySeconds);
  }

  @Override
  public List<Ticket> receive(int max, int waitSeconds) {
    if (faulty && random.nextDouble() < WITHHOLD) {
      return List.of();
    }
    List<Ticket> tickets = new ArrayList<>();
    while (!copies.isEmpty() && tickets.size() < max) {
      tickets.add(copies.pop());
    }
    if (tickets.size() < max) {
      tickets.addAll(queue.receive(max - tickets.size(), waitSeconds));
    }
    for (Ticket ticket : tickets) {
      if (faulty && random.nextDouble() < DUPLICATE) {
        duplicates++;
        copies.add(ticket);
      }
    }
    return tickets;
  }

  @Override
  public boolean extend(Ticket ticket, int seconds) {
    return queue.extend(ticket, seconds);
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
