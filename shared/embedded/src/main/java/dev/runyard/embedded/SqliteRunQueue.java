package dev.runyard.embedded;

import dev.runyard.core.queue.QueueLimits;
import dev.runyard.core.queue.QueueMessage;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.queue.Ticket;
import java.util.List;

/// A queue of runs on [MessageRows]. A receipt is the number of the delivery.
final class SqliteRunQueue implements RunQueue {
  private final MessageRows rows;

  SqliteRunQueue(StoreDatabase database, StoreEnvironment environment, QueueRule rule) {
    this.rows = new MessageRows(database, environment, rule);
  }

  @Override
  public void send(QueueMessage message, int delaySeconds) {
    rows.send(message.text(), delaySeconds);
  }

  @Override
  public List<Ticket> receive(int max, int waitSeconds) {
    QueueLimits.checkReceive(max);
    return rows.receive(max, waitSeconds).stream().map(SqliteRunQueue::ticket).toList();
  }

  @Override
  public List<Ticket> extend(List<Ticket> tickets, int seconds) {
    QueueLimits.checkTogether(tickets);
    List<MessageRows.Held> lost =
        rows.extend(tickets.stream().map(SqliteRunQueue::held).toList(), seconds);
    return tickets.stream().filter(ticket -> lost.contains(held(ticket))).toList();
  }

  /// Shows again all that was received and is still hidden, because nobody has it any more.
  void giveBack() {
    rows.giveBack();
  }

  @Override
  public void delete(Ticket ticket) {
    rows.delete(held(ticket));
  }

  @Override
  public Depth depth() {
    return rows.depth(found -> new Depth(found.getInt(1), found.getInt(2)));
  }

  private static Ticket ticket(MessageRows.Held message) {
    QueueMessage said = QueueMessage.ofText(message.text());
    return new Ticket(
        said.run(),
        message.id(),
        Integer.toString(message.delivery()),
        message.delivery(),
        said.sighting());
  }

  private static MessageRows.Held held(Ticket ticket) {
    return new MessageRows.Held(ticket.messageId(), "", Integer.parseInt(ticket.receipt()));
  }
}
