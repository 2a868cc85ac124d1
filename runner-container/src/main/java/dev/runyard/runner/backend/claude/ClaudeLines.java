package dev.runyard.runner.backend.claude;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.runner.backend.AgentPrompt;

/// The lines that are sent to Claude Code.
final class ClaudeLines {
  private static final String TYPE = "type";
  private static final String REQUEST_ID = "request_id";

  private ClaudeLines() {}

  static String user(AgentPrompt word) {
    ObjectNode line = object().put(TYPE, "user");
    ObjectNode message = line.putObject("message").put("role", "user");
    message.putArray("content").addObject().put(TYPE, "text").put("text", word.text());
    return line.putNull("parent_tool_use_id")
        .put("session_id", "")
        .put("uuid", word.id())
        .toString();
  }

  /// A request to do something at once.
  static String control(String id, String subtype) {
    ObjectNode line = object().put(TYPE, "control_request").put(REQUEST_ID, id);
    line.putObject("request").put("subtype", subtype);
    return line.toString();
  }

  /// The answer to its request.
  static String response(String id, JsonNode answer) {
    ObjectNode line = object().put(TYPE, "control_response");
    line.putObject("response")
        .put("subtype", "success")
        .put(REQUEST_ID, id)
        .set("response", answer);
    return line.toString();
  }

  /// The answer to an unknown request.
  static String unsupported(String id) {
    ObjectNode line = object().put(TYPE, "control_response");
    line.putObject("response")
        .put("subtype", "error")
        .put(REQUEST_ID, id)
        .put("error", "not supported");
    return line.toString();
  }

  static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }
}
