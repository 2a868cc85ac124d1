package dev.runyard.core.queue;

import dev.runyard.core.run.RunKey;
import java.util.List;

/// A queue of run keys, delivered at least once and in any order. A received message is hidden for
/// a lease; it comes back unless it is deleted or its lease is extended.
///
/// A call that does not answer throws [dev.runyard.core.problem.PortUnavailable].
public interface RunQueue {
  int DELAY_SECONDS_MAX = 900;
  int RECEIVE_MAX = 10;

  void send(RunKey run, int delaySeconds);

  /// Up to `max` messages, waiting at most `waitSeconds` for the first.
  List<Ticket> receive(int max, int waitSeconds);

  /// Hides the message for `seconds` from now. False when the message is not there to hide any
  /// more.
  boolean extend(Ticket ticket, int seconds);

  void delete(Ticket ticket);

  /// About how many messages wait and how many are taken.
  Depth depth();

  record Depth(int waiting, int inFlight) {}
}
