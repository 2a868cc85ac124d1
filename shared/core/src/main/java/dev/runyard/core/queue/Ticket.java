package dev.runyard.core.queue;

import dev.runyard.core.ids.RunKey;
import java.util.Optional;

/// A message taken from a queue: its run, and the receipt that extends or deletes it. The message
/// id stays the same however often the message is delivered.
///
/// @param sighting in a copy that replaces another message: when the run's attempt had last written
public record Ticket(
    RunKey run, String messageId, String receipt, int receiveCount, Optional<Sighting> sighting) {

  public Ticket(RunKey run, String messageId, String receipt, int receiveCount) {
    this(run, messageId, receipt, receiveCount, Optional.empty());
  }

  /// The message the run's attempt was claimed with: this one, or the one it is a copy of.
  public String id() {
    return sighting.map(Sighting::ticket).orElse(messageId);
  }
}
