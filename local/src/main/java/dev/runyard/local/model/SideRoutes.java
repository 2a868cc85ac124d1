package dev.runyard.local.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.util.Set;

/// What else agents ask a provider: whether it is reachable, and which models it has.
final class SideRoutes {

  static final String MODELS = "/v1/models";

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Set<String> GREETINGS = Set.of("/", "/api/hello");

  private SideRoutes() {}

  /// Lists the only model in a form that both OpenAI's and Anthropic's clients read.
  static void models(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    if (path.equals(MODELS)) {
      ObjectNode list = JSON.createObjectNode().put("object", "list").put("has_more", false);
      list.putArray("data").add(model(ScriptedModelServer.MODEL));
      list.put("first_id", ScriptedModelServer.MODEL).put("last_id", ScriptedModelServer.MODEL);
      respond(exchange, 200, list);
    } else {
      respond(exchange, 200, model(path.substring(MODELS.length() + 1)));
    }
  }

  /// Answers with 200 where agents check for a server, and with 404 anywhere else.
  static void greet(HttpExchange exchange) throws IOException {
    boolean known = GREETINGS.contains(exchange.getRequestURI().getPath());
    respond(exchange, known ? 200 : 404, JSON.createObjectNode());
  }

  private static ObjectNode model(String id) {
    return JSON.createObjectNode()
        .put("id", id)
        .put("object", "model")
        .put("type", "model")
        .put("display_name", id)
        .put("created", 0)
        .put("created_at", "1970-01-01T00:00:00Z")
        .put("owned_by", "runyard");
  }

  private static void respond(HttpExchange exchange, int status, JsonNode body) throws IOException {
    try (exchange) {
      byte[] bytes = JSON.writeValueAsBytes(body);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      if (exchange.getRequestMethod().equals("HEAD")) {
        exchange.sendResponseHeaders(status, -1);
      } else {
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
      }
    }
  }
}
