package dev.runyard.core.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.List;
import java.util.Objects;

/// What an agent says about itself besides its capabilities: its content types, and anything else
/// worth knowing, such as its author or its licence.
///
/// @param inputContentTypes media types, at least one
/// @param outputContentTypes media types, at least one
/// @param metadata an object, in the terms of the Agent Communication Protocol's manifest
public record AgentCard(
    List<String> inputContentTypes, List<String> outputContentTypes, JsonNode metadata) {
  public static final AgentCard ANYTHING = of(List.of("*/*"), List.of("*/*"));

  public AgentCard {
    inputContentTypes = List.copyOf(inputContentTypes);
    outputContentTypes = List.copyOf(outputContentTypes);
    Objects.requireNonNull(metadata);
    if (inputContentTypes.isEmpty() || outputContentTypes.isEmpty()) {
      throw new IllegalArgumentException("an agent takes and gives at least one content type");
    }
  }

  public static AgentCard of(List<String> inputContentTypes, List<String> outputContentTypes) {
    return new AgentCard(
        inputContentTypes, outputContentTypes, JsonNodeFactory.instance.objectNode());
  }
}
