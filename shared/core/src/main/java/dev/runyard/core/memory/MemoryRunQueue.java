package dev.runyard.core.memory;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.queue.QueueLimits;
import dev.runyard.core.queue.QueueMessage;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.queue.Ticket;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The run queue in memory, on an injected clock: oldest message first, and a receive never waits.
///
/// Receipts behave as on SQS: each delivery has its own. Deleting with the newest receipt works
/// even when the lease is over and the message is visible again; an older receipt deletes and
/// extends nothing, because the message belongs to whoever received it last.
public final class MemoryRunQueue implements RunQueue {
  private final InstantSource clock;
  private final int leaseSeconds;
  private final int receiveCountMax;
  private final @Nullable MemoryRunQueue deadLetters;
  private final Map<String, Message> messages = new LinkedHashMap<>();
  private long sent;

  /// A queue that delivers for ever.
  public MemoryRunQueue(InstantSource clock, int leaseSeconds) {
    this(clock, leaseSeconds, Integer.MAX_VALUE, null);
  }

  /// A queue that moves a message to `deadLetters` instead of delivering it once more than
  /// `receiveCountMax` times.
  public MemoryRunQueue(
      InstantSource clock,
      int leaseSeconds,
      int receiveCountMax,
      @Nullable MemoryRunQueue deadLetters) {
    this.clock = clock;
    this.leaseSeconds = leaseSeconds;
    this.receiveCountMax = receiveCountMax;
    this.deadLetters = deadLetters;
  }

  @Override
  public synchronized void send(QueueMessage message, int delaySeconds) {
    if (delaySeconds < 0 || delaySeconds > DELAY_SECONDS_MAX) {
      throw new IllegalArgumentException("a delay is 0 to " + DELAY_SECONDS_MAX + " s");
    }
    String id = "message-" + ++sent;
    add(new Message(id, message.text(), clock.instant().plusSeconds(delaySeconds)));
  }

  @Override
  public synchronized List<Ticket> receive(int max, int waitSeconds) {
    QueueLimits.checkReceive(max);
    Instant now = clock.instant();
    List<Ticket> tickets = new ArrayList<>();
    Iterator<Message> all = messages.values().iterator();
    while (all.hasNext() && tickets.size() < max) {
      Message message = all.next();
      if (message.visibleAt.isAfter(now)) {
        continue;
      }
      if (deadLetters != null && message.receiveCount >= receiveCountMax) {
        all.remove();
        deadLetters.accept(message, now);
        continue;
      }
      tickets.add(message.take(now.plusSeconds(leaseSeconds)));
    }
    return tickets;
  }

  @Override
  public synchronized List<Ticket> extend(List<Ticket> tickets, int seconds) {
    QueueLimits.checkTogether(tickets);
    return tickets.stream().filter(ticket -> !hide(ticket, seconds)).toList();
  }

  private boolean hide(Ticket ticket, int seconds) {
    Message message = messages.get(ticket.messageId());
    Instant now = clock.instant();
    if (message == null
        || !message.receipt().equals(ticket.receipt())
        || !message.visibleAt.isAfter(now)) {
      return false;
    }
    message.visibleAt = now.plusSeconds(seconds);
    return true;
  }

  @Override
  public synchronized void delete(Ticket ticket) {
    Message message = messages.get(ticket.messageId());
    if (message != null && message.receipt().equals(ticket.receipt())) {
      messages.remove(ticket.messageId());
    }
  }

  /// A delayed message is not counted until its delay is over: there is nothing to do for it.
  @Override
  public synchronized Depth depth() {
    Instant now = clock.instant();
    int waiting = 0;
    int inFlight = 0;
    for (Message message : messages.values()) {
      if (!message.visibleAt.isAfter(now)) {
        waiting++;
      } else if (message.receiveCount > 0) {
        inFlight++;
      }
    }
    return new Depth(waiting, inFlight);
  }

  /// When the next message can be received, [Instant#MAX] when there is none.
  public synchronized Instant nextAt() {
    return messages.values().stream()
        .map(message -> message.visibleAt)
        .min(Comparator.naturalOrder())
        .orElse(Instant.MAX);
  }

  /// Shows a message again at `at`, as a queue that delivers twice does; until then its receiver
  /// may hide it again.
  public synchronized void show(Ticket ticket, Instant at) {
    Message message = messages.get(ticket.messageId());
    if (message != null && at.isBefore(message.visibleAt)) {
      message.visibleAt = at;
    }
  }

  /// Runs with a message in the queue, delayed, waiting or taken, oldest message first.
  public synchronized List<RunKey> runs() {
    return messages.values().stream().map(m -> QueueMessage.ofText(m.body).run()).toList();
  }

  private synchronized void accept(Message message, Instant now) {
    add(new Message(message.id, message.body, now));
  }

  private void add(Message message) {
    messages.put(message.id, message);
  }

  private static final class Message {
    private final String id;
    private final String body;
    private Instant visibleAt;
    private int receiveCount;

    private Message(String id, String body, Instant visibleAt) {
      this.id = id;
      this.body = body;
      this.visibleAt = visibleAt;
    }

    private Ticket take(Instant until) {
      visibleAt = until;
      receiveCount++;
      QueueMessage said = QueueMessage.ofText(body);
      return new Ticket(said.run(), id, receipt(), receiveCount, said.sighting());
    }

    private String receipt() {
      return id + "-" + receiveCount;
    }
  }
}
