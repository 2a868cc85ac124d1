package dev.runyard.local.events;

import com.fasterxml.jackson.databind.node.ObjectNode;

/// Takes a note of each batch that was given up: which records, and why, but not their content.
@FunctionalInterface
public interface FailureDestination {
  /// Delivers one note, in the form Lambda gives to an SQS destination.
  void send(ObjectNode note);

  /// Keeps no notes, for a mapping without a destination.
  static FailureDestination none() {
    return note -> {};
  }
}
