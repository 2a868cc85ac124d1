package dev.runyard.local.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.runyard.local.model.Conversation.Entry;
import dev.runyard.local.model.OfferedTool.Form;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The Anthropic Messages API, with its count of tokens. Of messages with the role `system` only
/// one that follows the result of a tool is heard: so Claude Code passes on what a person says
/// while it works.
final class MessagesWire implements ModelWire {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String COUNT = "/count_tokens";

  @Override
  public String path() {
    return "/v1/messages";
  }

  @Override
  public boolean serves(String path) {
    return path.equals(path()) || path.equals(path() + COUNT);
  }

  @Override
  public Optional<JsonNode> aside(ModelRequest request) {
    return request.path().endsWith(COUNT)
        ? Optional.of(
            JSON.createObjectNode().put("input_tokens", request.size() / ScriptedModel.TOKEN_CHARS))
        : Optional.empty();
  }

  @Override
  public Optional<String> objection(ModelRequest request) {
    return request.body().path("messages").isArray()
        ? Optional.empty()
        : Optional.of("messages: Field required");
  }

  @Override
  public Conversation conversation(ModelRequest request) {
    JsonNode body = request.body();
    List<Entry> entries = new ArrayList<>();
    body.path("messages").forEach(message -> message(message, entries));
    List<OfferedTool> tools = new ArrayList<>();
    for (JsonNode tool : body.path("tools")) {
      if (tool.has("input_schema")) {
        tools.add(
            new OfferedTool(
                "", tool.path("name").asText(""), Form.FUNCTION, tool.path("input_schema")));
      }
    }
    return new Conversation(
        body.at("/metadata/user_id").asText(""),
        body.path("model").asText(ScriptedModelServer.MODEL),
        entries,
        tools,
        shape(body),
        request.size());
  }

  private static Optional<JsonNode> shape(JsonNode body) {
    JsonNode format = body.at("/output_config/format");
    JsonNode schema = (format.isObject() ? format : body.path("output_format")).path("schema");
    return Optional.of(schema).filter(JsonNode::isObject);
  }

  @Override
  public void stream(
      ModelRequest request, Conversation conversation, ModelReply.Answer answer, Sink sink)
      throws IOException {
    new MessagesStream(new MessagesItems(conversation), answer, sink).send();
  }

  @Override
  public JsonNode whole(Conversation conversation, ModelReply.Answer answer) {
    return new MessagesItems(conversation).whole(answer);
  }

  @Override
  public JsonNode error(int status, String message) {
    return MessagesItems.error(type(status), message);
  }

  @Override
  public String failureMessage(Conversation conversation, int status) {
    return switch (status) {
      case 401 -> "invalid x-api-key";
      case 402 -> "Your credit balance is too low to access the API.";
      case 403 -> "Your API key does not have permission to use the specified resource.";
      case 404 -> "model: " + conversation.model();
      case 429 -> "This request would exceed your account's rate limit.";
      case 529 -> "Overloaded";
      default -> "The script answers with status " + status + ".";
    };
  }

  private static String type(int status) {
    return switch (status) {
      case 401 -> "authentication_error";
      case 402 -> "billing_error";
      case 403 -> "permission_error";
      case 404 -> "not_found_error";
      case 413 -> "request_too_large";
      case 429 -> "rate_limit_error";
      case 529 -> "overloaded_error";
      default -> status < 500 ? "invalid_request_error" : "api_error";
    };
  }

  private static void message(JsonNode message, List<Entry> entries) {
    JsonNode content = message.path("content");
    switch (message.path("role").asText()) {
      case "assistant" -> entries.add(new Entry.Model());
      case "system" -> {
        if (!entries.isEmpty() && entries.getLast() instanceof Entry.ToolResult) {
          entries.add(new Entry.User(text(content)));
        }
      }
      case "user" -> {
        if (content.isTextual()) {
          entries.add(new Entry.User(content.asText()));
        }
        content.forEach(block -> block(block, entries));
      }
      default -> {}
    }
  }

  private static void block(JsonNode block, List<Entry> entries) {
    switch (block.path("type").asText()) {
      case "text" -> entries.add(new Entry.User(block.path("text").asText("")));
      case "tool_result" -> entries.add(new Entry.ToolResult(text(block.path("content"))));
      default -> {}
    }
  }

  private static String text(JsonNode content) {
    return content.isTextual() ? content.asText() : content.toString();
  }
}
