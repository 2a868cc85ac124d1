package dev.runyard.core.attempt;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.memory.MemoryRunQueue;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.queue.QueueMessage;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.queue.Ticket;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The run queue in memory, which fails when its test says so.
final class HandQueue implements RunQueue {
  private final InstantSource clock;
  private final MemoryRunQueue memory;
  private final List<Instant> extensions = new ArrayList<>();
  private final List<QueueMessage> sent = new ArrayList<>();
  private Runnable waits = () -> {};
  private boolean down;
  private int lostReplies;
  private @Nullable Ticket last;

  HandQueue(InstantSource clock) {
    this.clock = clock;
    this.memory = new MemoryRunQueue(clock, Limits.LEASE_SECONDS);
  }

  /// No call is executed or answered.
  void down(boolean is) {
    down = is;
  }

  /// No call is executed, and each is given up after its caller has waited.
  void hang(Runnable waiting) {
    waits = waiting;
    down = true;
  }

  /// The next `count` messages are sent, but that is not answered.
  void loseReplies(int count) {
    lostReplies = count;
  }

  /// All that was sent.
  List<QueueMessage> sent() {
    return sent;
  }

  /// Shows a message again though somebody holds it, as a queue does that delivers twice.
  void showAgain(Ticket ticket) {
    memory.show(ticket, clock.instant());
  }

  /// The ticket taken last.
  Ticket last() {
    return Objects.requireNonNull(last, "nothing was taken");
  }

  /// When a lease was extended.
  List<Instant> extensions() {
    return extensions;
  }

  /// Runs with a message, whatever the state of the queue.
  List<RunKey> runs() {
    return memory.runs();
  }

  @Override
  public void send(QueueMessage message, int delaySeconds) {
    answer();
    sent.add(message);
    memory.send(message, delaySeconds);
    if (lostReplies > 0) {
      lostReplies--;
      throw new PortUnavailable("the reply was lost");
    }
  }

  @Override
  public List<Ticket> receive(int max, int waitSeconds) {
    answer();
    List<Ticket> tickets = memory.receive(max, waitSeconds);
    last = tickets.isEmpty() ? last : tickets.getLast();
    return tickets;
  }

  @Override
  public List<Ticket> extend(List<Ticket> tickets, int seconds) {
    answer();
    extensions.add(clock.instant());
    return memory.extend(tickets, seconds);
  }

  @Override
  public void delete(Ticket ticket) {
    answer();
    memory.delete(ticket);
  }

  @Override
  public Depth depth() {
    answer();
    return memory.depth();
  }

  private void answer() {
    if (down) {
      waits.run();
      throw new PortUnavailable("the queue is down");
    }
  }
}
