package dev.runyard.agent.host;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.agent.AgentDefinition;
import dev.runyard.core.agent.AgentCard;
import dev.runyard.core.json.JsonFormat;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/// What a process with agents on its class path prints about them.
final class AgentDescriptions {
  private static final String AGENTS = "agents";
  private static final String PROBLEM = "problem";
  private static final String TYPE = "type";
  private static final String NAME = "name";
  private static final String DESCRIPTION = "description";
  private static final String CARD = "card";

  private AgentDescriptions() {}

  /// The agents of this process, or why they cannot be used: whatever their code throws.
  static String ofClassPath() {
    ObjectNode json = JsonFormat.JSON.createObjectNode();
    try {
      ArrayNode agents = JsonFormat.JSON.createArrayNode();
      ServiceLoader.load(AgentDefinition.class).forEach(agent -> agents.add(described(agent)));
      json.set(AGENTS, agents);
    } catch (Throwable e) {
      json.put(PROBLEM, String.valueOf(e.getMessage()));
    }
    return json.toString();
  }

  /// Reads what such a process printed.
  ///
  /// @param jars on its class path
  static List<InstalledAgent> read(String printed, List<Path> jars) {
    JsonNode json = json(printed);
    if (json.has(PROBLEM)) {
      throw new IllegalStateException("An agent cannot be loaded: " + json.get(PROBLEM).asText());
    }
    List<InstalledAgent> agents = new ArrayList<>();
    json.path(AGENTS).forEach(agent -> agents.add(read(agent, jars)));
    return agents;
  }

  private static ObjectNode described(AgentDefinition agent) {
    ObjectNode json =
        JsonFormat.JSON
            .createObjectNode()
            .put(TYPE, agent.getClass().getName())
            .put(NAME, agent.name())
            .put(DESCRIPTION, agent.description());
    json.set(CARD, JsonFormat.JSON.valueToTree(agent.card()));
    return json;
  }

  private static InstalledAgent read(JsonNode json, List<Path> jars) {
    try {
      return new InstalledAgent(
          json.required(TYPE).textValue(),
          json.required(NAME).textValue(),
          json.required(DESCRIPTION).textValue(),
          JsonFormat.JSON.treeToValue(json.required(CARD), AgentCard.class),
          jars);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("An agent cannot be loaded: it has no card", e);
    }
  }

  private static JsonNode json(String printed) {
    try {
      return JsonFormat.JSON.readTree(printed);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("The agents' process does not describe them.", e);
    }
  }
}
