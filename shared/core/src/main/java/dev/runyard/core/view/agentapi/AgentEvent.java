package dev.runyard.core.view.agentapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.agent.AgentKind;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.limits.Limits;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One event of the Universal Agent API. Text is for output only, a message for anything about the
/// run, data for programs.
///
/// @param channel a hint where to show it, such as `assistant` or `tool`
public record AgentEvent(
    AgentKind agent,
    Kind kind,
    @Nullable String channel,
    @Nullable String text,
    @Nullable String message,
    @Nullable JsonNode data) {

  public AgentEvent {
    Objects.requireNonNull(agent);
    if ((kind == Kind.TEXT_OUTPUT) != (text != null)) {
      throw new IllegalArgumentException("text is for output, and output has text");
    }
    boolean silent = kind == Kind.TEXT_OUTPUT;
    if (message == null ? kind == Kind.ERROR : silent) {
      throw new IllegalArgumentException("an error has a message, output has none");
    }
  }

  /// The closed list of kinds.
  public enum Kind {
    TEXT_OUTPUT("TextOutput"),
    TOOL_CALL("ToolCall"),
    TOOL_RESULT("ToolResult"),
    STATUS("Status"),
    ERROR("Error"),
    UNKNOWN("Unknown");

    private final String wire;

    Kind(String wire) {
      this.wire = wire;
    }

    public String wire() {
      return wire;
    }
  }

  /// The event within its bounds: long text as several events, a long message cut, a long channel
  /// left out, long data replaced by a note.
  public List<AgentEvent> bounded() {
    String shownChannel =
        channel == null || Bounds.bytes(channel) > Bounds.CHANNEL_BYTES_MAX ? null : channel;
    String shownMessage =
        message == null
            ? null
            : Bounds.truncate(Bounds.wellFormed(message), Bounds.MESSAGE_BYTES_MAX);
    JsonNode shownData = data == null ? null : Bounds.data(data, Bounds.DATA_BYTES_MAX);
    if (text == null) {
      return List.of(new AgentEvent(agent, kind, shownChannel, null, shownMessage, shownData));
    }
    return Bounds.split(Bounds.wellFormed(text), Limits.TEXT_BYTES_MAX).stream()
        .map(piece -> new AgentEvent(agent, kind, shownChannel, piece, shownMessage, shownData))
        .toList();
  }

  /// Its members, all of them always present.
  ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("agent_kind", agent.name());
    json.put("kind", kind.wire());
    json.put("channel", channel);
    json.put("text", text);
    json.put("message", message);
    json.set("data", data);
    return json;
  }
}
