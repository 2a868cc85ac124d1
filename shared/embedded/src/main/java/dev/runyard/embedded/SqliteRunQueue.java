package dev.runyard.embedded;

import dev.runyard.core.queue.QueueLimits;
import dev.runyard.core.queue.QueueMessage;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.queue.Ticket;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// A queue of runs on [MessageRows]. What may come last has rows of its own, which are taken while
/// there are no others, as [ItemPace] allows. A receipt is the number of the delivery, behind a
/// word for those.
final class SqliteRunQueue implements RunQueue {
  private static final String LAST = "last-";

  private final MessageRows rows;
  private final MessageRows last;
  private final String name;
  private final ItemPace pace;
  private final InstantSource clock;

  SqliteRunQueue(
      StoreDatabase database, StoreEnvironment environment, QueueRule rule, ItemPace pace) {
    this.name = rule.name();
    this.pace = pace;
    this.clock = environment.clock();
    this.rows = new MessageRows(database, environment, rule);
    this.last =
        new MessageRows(
            database,
            environment,
            new QueueRule(
                LAST + name, rule.hiddenSeconds(), rule.keptSeconds(), rule.deadLetters()),
            Optional.of(pace));
  }

  @Override
  public void send(QueueMessage message, int delaySeconds) {
    if (message.last()) {
      last.send(message.text(), delaySeconds);
    } else {
      pace.otherRun(clock.instant());
      rows.send(message.text(), delaySeconds);
    }
  }

  @Override
  public List<Ticket> receive(int max, int waitSeconds) {
    QueueLimits.checkReceive(max);
    List<Ticket> tickets =
        MessageRows.receive(List.of(rows, last), max, waitSeconds).stream()
            .map(this::ticket)
            .toList();
    if (tickets.stream().anyMatch(ticket -> of(ticket).equals(rows))) {
      pace.otherRun(clock.instant());
    }
    return tickets;
  }

  @Override
  public List<Ticket> extend(List<Ticket> tickets, int seconds) {
    QueueLimits.checkTogether(tickets);
    List<MessageRows.Held> lost = new ArrayList<>();
    for (MessageRows each : List.of(rows, last)) {
      List<MessageRows.Held> its =
          tickets.stream().filter(ticket -> of(ticket).equals(each)).map(this::held).toList();
      if (!its.isEmpty()) {
        lost.addAll(each.extend(its, seconds));
      }
    }
    return tickets.stream().filter(ticket -> lost.contains(held(ticket))).toList();
  }

  /// Shows again all that was received and is still hidden, because nobody has it any more.
  void giveBack() {
    Stream.of(rows, last).forEach(MessageRows::giveBack);
  }

  @Override
  public void delete(Ticket ticket) {
    if (of(ticket).equals(rows)) {
      pace.otherRun(clock.instant());
    }
    of(ticket).delete(held(ticket));
  }

  @Override
  public Depth depth() {
    Depth first = depth(rows);
    Depth others = depth(last);
    return new Depth(first.waiting() + others.waiting(), first.inFlight() + others.inFlight());
  }

  private static Depth depth(MessageRows rows) {
    return rows.depth(found -> new Depth(found.getInt(1), found.getInt(2)));
  }

  private MessageRows of(Ticket ticket) {
    return ticket.receipt().startsWith(LAST) ? last : rows;
  }

  private Ticket ticket(MessageRows.Held message) {
    QueueMessage said = QueueMessage.ofText(message.text());
    String delivery = Integer.toString(message.delivery());
    return new Ticket(
        said.run(),
        message.id(),
        message.queue().equals(name) ? delivery : LAST + delivery,
        message.delivery(),
        said.sighting());
  }

  private MessageRows.Held held(Ticket ticket) {
    boolean behind = ticket.receipt().startsWith(LAST);
    String delivery = behind ? ticket.receipt().substring(LAST.length()) : ticket.receipt();
    return new MessageRows.Held(
        behind ? LAST + name : name, ticket.messageId(), "", Integer.parseInt(delivery));
  }
}
