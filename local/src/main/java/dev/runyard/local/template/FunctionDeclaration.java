package dev.runyard.local.template;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;

/// A Lambda function.
///
/// @param handler the `Handler` string: a class, or a script for a function behind the web adapter
/// @param environment `Environment.Variables`, unresolved: it names queues by their address
public record FunctionDeclaration(
    String logicalId,
    String name,
    String handler,
    Duration timeout,
    int memoryMegabytes,
    JsonNode environment,
    List<EventSource> events) {

  public FunctionDeclaration {
    events = List.copyOf(events);
  }
}
