package dev.runyard.local.template;

import java.util.Map;
import java.util.Optional;

/// An SQS queue with the attributes that affect its behaviour.
public record QueueDeclaration(
    String logicalId, String name, Map<String, String> attributes, Optional<Redrive> redrive) {

  public QueueDeclaration {
    attributes = Map.copyOf(attributes);
  }

  /// The destination of messages that no receiver could handle.
  ///
  /// @param deadLetters logical id of the queue that takes a message received too often
  public record Redrive(String deadLetters, int receivesMax) {}
}
