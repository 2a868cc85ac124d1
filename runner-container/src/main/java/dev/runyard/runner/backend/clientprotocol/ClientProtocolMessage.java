package dev.runyard.runner.backend.clientprotocol;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.json.JsonFormat;
import java.io.IOException;
import java.util.Optional;

/// A JSON-RPC message of an agent.
sealed interface ClientProtocolMessage {
  /// A request that needs an answer.
  ///
  /// @param id a number or a text, repeated with the answer
  record Request(JsonNode id, String method, JsonNode params) implements ClientProtocolMessage {}

  record Notification(String method, JsonNode params) implements ClientProtocolMessage {}

  /// The answer to a request with this number; one with any other id has the number -1.
  record Result(long id, JsonNode result) implements ClientProtocolMessage {}

  /// The answer to a request that failed.
  record Failed(long id, JsonNode error) implements ClientProtocolMessage {}

  /// Reads a line; empty if it is not a message.
  static Optional<ClientProtocolMessage> read(String line) {
    try {
      JsonNode json = JsonFormat.JSON.readTree(line);
      return json.isObject() ? of(json) : Optional.empty();
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  private static Optional<ClientProtocolMessage> of(JsonNode json) {
    String method = json.path("method").asText("");
    JsonNode id = json.path("id");
    boolean named = id.isTextual() || id.isNumber();
    if (!method.isEmpty()) {
      JsonNode params = json.path("params");
      return Optional.of(
          named ? new Request(id, method, params) : new Notification(method, params));
    }
    if (json.path("error").isObject()) {
      return Optional.of(new Failed(id.asLong(-1), json.path("error")));
    }
    return named && json.has("result")
        ? Optional.of(new Result(id.asLong(-1), json.path("result")))
        : Optional.empty();
  }
}
