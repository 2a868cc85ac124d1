package dev.runyard.core.queue;

import dev.runyard.core.run.RunKey;

/// A message taken from a queue: which run it is about, and the receipt that extends or deletes it.
/// The message id stays the same however often the message is delivered.
public record Ticket(RunKey run, String messageId, String receipt, int receiveCount) {}
