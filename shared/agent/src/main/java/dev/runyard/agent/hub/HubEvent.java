package dev.runyard.agent.hub;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.message.Message;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// Something that happened: a type and members of any shape. Types the protocol does not name are
/// passed on unchanged.
public record HubEvent(String type, Map<String, JsonNode> members) {
  public static final String AGENT_START = "agent:start";
  public static final String AGENT_COMPLETE = "agent:complete";
  public static final String AGENT_TEXT = "agent:text";
  public static final String AGENT_THINKING = "agent:thinking";
  public static final String TOOL_START = "agent:tool:start";
  public static final String TOOL_COMPLETE = "agent:tool:complete";
  public static final String SESSION_PROMPT = "session:prompt";
  public static final String SESSION_REPLY = "session:reply";
  public static final String SESSION_MESSAGE = "session:message";
  public static final String SESSION_ABORT = "session:abort";

  /// The member of an `agent:text` that contains the whole message its text belongs to.
  public static final String MESSAGE = "message";

  private static final String TYPE = "type";

  public HubEvent {
    if (type.isBlank()) {
      throw new IllegalArgumentException("an event has a type");
    }
    members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
  }

  public static HubEvent of(String type) {
    return new HubEvent(type, Map.of());
  }

  /// Reads `{"type": …, …}`.
  public static HubEvent of(ObjectNode json) {
    Map<String, JsonNode> members = new LinkedHashMap<>();
    json.properties().forEach(member -> members.put(member.getKey(), member.getValue()));
    members.remove(TYPE);
    return new HubEvent(json.path(TYPE).asText(), members);
  }

  public static HubEvent agentStart(String agentName, String runId) {
    return of(AGENT_START).with("agentName", agentName).with("runId", runId);
  }

  public static HubEvent agentComplete(String agentName, boolean success, String runId) {
    return of(AGENT_COMPLETE)
        .with("agentName", agentName)
        .with("success", BooleanNode.valueOf(success))
        .with("runId", runId);
  }

  /// More of the message the agent is writing.
  public static HubEvent text(String content, String runId) {
    return of(AGENT_TEXT).with("content", content).with("runId", runId);
  }

  /// A whole message.
  public static HubEvent said(Message message, String runId) {
    return text(message.text(), runId)
        .with(MESSAGE, JsonFormat.JSON.<JsonNode>valueToTree(message));
  }

  public static HubEvent thinking(String content, String runId) {
    return of(AGENT_THINKING).with("content", content).with("runId", runId);
  }

  public static HubEvent toolStart(String toolName, JsonNode input, String runId) {
    return of(TOOL_START).with("toolName", toolName).with("input", input).with("runId", runId);
  }

  public static HubEvent toolComplete(
      String toolName, JsonNode result, boolean isError, String runId) {
    return of(TOOL_COMPLETE)
        .with("toolName", toolName)
        .with("result", result)
        .with("isError", BooleanNode.valueOf(isError))
        .with("runId", runId);
  }

  /// This event with one more member.
  public HubEvent with(String name, JsonNode value) {
    if (name.equals(TYPE)) {
      throw new IllegalArgumentException("the type is not a member");
    }
    Map<String, JsonNode> more = new LinkedHashMap<>(members);
    more.put(name, Objects.requireNonNull(value));
    return new HubEvent(type, more);
  }

  public HubEvent with(String name, String value) {
    return with(name, TextNode.valueOf(value));
  }

  /// A member that is text.
  public Optional<String> text(String name) {
    return Optional.ofNullable(members.get(name)).map(JsonNode::textValue);
  }

  public ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put(TYPE, type);
    members.forEach(json::set);
    return json;
  }
}
