package dev.runyard.local.template;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;

/// A Lambda function.
///
/// @param handler the `Handler` string: a class, or a script for a function behind the web adapter
/// @param reserved the most calls at once, if there is a bound
/// @param environment `Environment.Variables`, unresolved: it names queues by their address
public record FunctionDeclaration(
    String logicalId,
    String name,
    String handler,
    Duration timeout,
    int memoryMegabytes,
    OptionalInt reserved,
    JsonNode environment,
    List<EventSource> events) {

  public FunctionDeclaration {
    events = List.copyOf(events);
  }
}
