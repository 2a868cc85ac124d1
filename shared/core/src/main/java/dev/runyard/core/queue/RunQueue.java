package dev.runyard.core.queue;

import dev.runyard.core.ids.RunKey;
import java.util.List;

/// A queue of messages about runs, delivered at least once and in any order, though it may prefer
/// those that are not [QueueMessage#last]. A received message is hidden for a lease; it comes back
/// unless it is deleted or its lease is extended. Other kinds of streams have their own queues.
///
/// A call that does not answer throws [dev.runyard.core.problem.PortUnavailable].
public interface RunQueue {
  int DELAY_SECONDS_MAX = 900;
  int RECEIVE_MAX = 10;

  /// Most messages that are hidden with one call.
  int TOGETHER_MAX = 10;

  void send(QueueMessage message, int delaySeconds);

  /// Sends the message of a run that waits for a runner.
  default void send(RunKey run, int delaySeconds) {
    send(QueueMessage.of(run), delaySeconds);
  }

  /// Up to `max` messages, waiting at most `waitSeconds` for the first.
  List<Ticket> receive(int max, int waitSeconds);

  /// Hides messages, at most [#TOGETHER_MAX], for `seconds` from now. Returns those that the
  /// receiver has lost: they are gone, visible again, received by somebody else, or were hidden for
  /// as long as a queue allows.
  List<Ticket> extend(List<Ticket> tickets, int seconds);

  /// Hides one message. False when the receiver has lost it.
  default boolean extend(Ticket ticket, int seconds) {
    return extend(List.of(ticket), seconds).isEmpty();
  }

  void delete(Ticket ticket);

  /// Approximately how many messages wait and how many are taken.
  Depth depth();

  record Depth(int waiting, int inFlight) {}
}
