package dev.runyard.runner.backend.clientprotocol;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.runner.backend.Effect;

/// The lines that are sent to an agent.
final class ClientProtocolLines {
  /// The supported version of the protocol.
  static final int PROTOCOL_VERSION = 1;

  private static final int METHOD_NOT_FOUND = -32601;

  private ClientProtocolLines() {}

  /// Neither files nor terminals are offered: the agent uses its own.
  static Effect.Write initialize(long id) {
    ObjectNode params = object().put("protocolVersion", PROTOCOL_VERSION);
    ObjectNode capabilities = params.putObject("clientCapabilities");
    capabilities.putObject("fs").put("readTextFile", false).put("writeTextFile", false);
    capabilities.put("terminal", false);
    params.putObject("clientInfo").put("name", "runyard").put("version", "1");
    return request(id, "initialize", params);
  }

  static Effect.Write newSession(long id, String workingDir) {
    ObjectNode params = object().put("cwd", workingDir);
    params.putArray("mcpServers");
    return request(id, "session/new", params);
  }

  /// @param method `session/load`, which repeats the conversation, or `session/resume`
  static Effect.Write oldSession(long id, String method, String session, String workingDir) {
    ObjectNode params = object().put("sessionId", session).put("cwd", workingDir);
    params.putArray("mcpServers");
    return request(id, method, params);
  }

  static Effect.Write prompt(long id, String session, String text) {
    ObjectNode params = object().put("sessionId", session);
    params.putArray("prompt").addObject().put("type", "text").put("text", text);
    return request(id, "session/prompt", params);
  }

  static Effect.Write cancel(String session) {
    ObjectNode line = message().put("method", "session/cancel");
    line.putObject("params").put("sessionId", session);
    return new Effect.Write(line.toString());
  }

  static Effect.Write result(JsonNode id, ObjectNode result) {
    ObjectNode line = message().set("id", id);
    return new Effect.Write(line.<ObjectNode>set("result", result).toString());
  }

  static Effect.Write unsupported(JsonNode id) {
    ObjectNode line = message().set("id", id);
    line.putObject("error").put("code", METHOD_NOT_FOUND).put("message", "Method not found");
    return new Effect.Write(line.toString());
  }

  static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  private static ObjectNode message() {
    return object().put("jsonrpc", "2.0");
  }

  private static Effect.Write request(long id, String method, ObjectNode params) {
    ObjectNode line = message().put("id", id).put("method", method);
    return new Effect.Write(line.<ObjectNode>set("params", params).toString());
  }
}
