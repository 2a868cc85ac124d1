package dev.runyard.simulator;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.memory.MemoryRunQueue;
import dev.runyard.core.queue.Ticket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The queue of dead letters, which asks of each why nobody was done with its message: each of the
/// times that it was received, a fault kept the receiver from that, or showed it to another one.
final class DeadLetters extends PassingQueue {
  private final MemoryRunQueue queue;
  private final AttemptHits attempts;
  private final Map<Letter, List<Received>> received = new HashMap<>();
  private final Set<Letter> dead = new LinkedHashSet<>();

  DeadLetters(MemoryRunQueue queue, AttemptHits attempts) {
    super(queue);
    this.queue = queue;
    this.attempts = attempts;
  }

  /// A message, which is known in every queue that it was in: each numbers those sent to it.
  private record Letter(RunKey run, String messageId) {
    static Letter of(Ticket ticket) {
      return new Letter(ticket.run(), ticket.messageId());
    }
  }

  /// @param shown whether a fault shows the message again though it is hidden
  private record Received(String receipt, boolean shown) {}

  /// A message was received from the queue of runs.
  ///
  /// @param shown whether a fault shows it again though it is hidden
  void received(Ticket ticket, boolean shown) {
    received
        .computeIfAbsent(Letter.of(ticket), _ -> new ArrayList<>())
        .add(new Received(ticket.receipt(), shown));
  }

  /// True while there is none.
  boolean none() {
    return queue.runs().isEmpty();
  }

  /// What is wrong with them.
  List<Violation> check() {
    return dead.stream()
        .flatMap(letter -> received.getOrDefault(letter, List.of()).stream())
        .filter(each -> !each.shown() && !attempts.disturbed(each.receipt()))
        .map(
            each ->
                new Violation(
                    "dead letter", each.receipt() + " was received and not done for no reason"))
        .toList();
  }

  @Override
  public List<Ticket> receive(int max, int waitSeconds) {
    List<Ticket> tickets = super.receive(max, waitSeconds);
    tickets.stream().map(Letter::of).forEach(dead::add);
    return tickets;
  }
}
