package dev.runyard.local.events;

import com.fasterxml.jackson.databind.node.ObjectNode;

/// Gets a note of each batch that was given up: which records, and why, but not their content.
@FunctionalInterface
public interface FailureDestination {
  /// Delivers one note, in the form in which Lambda sends it to SQS.
  void send(ObjectNode note);

  /// Drops notes, for a mapping without a destination.
  static FailureDestination none() {
    return note -> {};
  }
}
