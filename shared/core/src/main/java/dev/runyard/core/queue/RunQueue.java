package dev.runyard.core.queue;

import dev.runyard.core.ids.RunKey;
import java.util.List;

/// A queue of messages about runs, delivered at least once and in any order. A received message is
/// hidden for a lease; it comes back unless it is deleted or its lease is extended. Other kinds of
/// streams have their own queues.
///
/// A call that does not answer throws [dev.runyard.core.problem.PortUnavailable].
public interface RunQueue {
  int DELAY_SECONDS_MAX = 900;
  int RECEIVE_MAX = 10;

  void send(QueueMessage message, int delaySeconds);

  /// Sends the message of a run that waits for a runner.
  default void send(RunKey run, int delaySeconds) {
    send(QueueMessage.of(run), delaySeconds);
  }

  /// Up to `max` messages, waiting at most `waitSeconds` for the first.
  List<Ticket> receive(int max, int waitSeconds);

  /// Hides the message for `seconds` from now. False when the receiver has lost the message: it is
  /// gone, visible again, received by somebody else, or was hidden for as long as a queue allows.
  boolean extend(Ticket ticket, int seconds);

  void delete(Ticket ticket);

  /// Approximately how many messages wait and how many are taken.
  Depth depth();

  record Depth(int waiting, int inFlight) {}
}
