package dev.runyard.local.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.runyard.local.model.Conversation.Entry;
import dev.runyard.local.model.OfferedTool.Form;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The Chat Completions API of OpenAI, which many other providers speak too.
final class ChatWire implements ModelWire {

  private static final ObjectMapper JSON = new ObjectMapper();

  @Override
  public String path() {
    return "/v1/chat/completions";
  }

  @Override
  public Optional<String> objection(ModelRequest request) {
    return request.body().path("messages").isArray()
        ? Optional.empty()
        : Optional.of("Missing required parameter: 'messages'.");
  }

  /// Conversations have no id here, so their instructions, which name the agent's folder, identify
  /// them.
  @Override
  public Conversation conversation(ModelRequest request) {
    JsonNode body = request.body();
    List<Entry> entries = new ArrayList<>();
    int instructions = 0;
    for (JsonNode message : body.path("messages")) {
      String role = message.path("role").asText();
      if (role.equals("system") || role.equals("developer")) {
        instructions = 31 * instructions + message.hashCode();
      }
      message(role, message.path("content"), entries);
    }
    String key = body.path("prompt_cache_key").asText(body.path("user").asText(""));
    return new Conversation(
        key.isEmpty() ? Integer.toHexString(instructions) : key,
        body.path("model").asText(ScriptedModelServer.MODEL),
        entries,
        tools(body.path("tools")),
        Optional.of(body.at("/response_format/json_schema/schema")).filter(JsonNode::isObject),
        request.size());
  }

  @Override
  public void stream(
      ModelRequest request, Conversation conversation, ModelReply.Answer answer, Sink sink)
      throws IOException {
    boolean usage = request.body().at("/stream_options/include_usage").asBoolean(false);
    new ChatStream(new ChatItems(conversation), answer, usage, sink).send();
  }

  @Override
  public JsonNode whole(Conversation conversation, ModelReply.Answer answer) {
    return new ChatItems(conversation).whole(answer);
  }

  @Override
  public JsonNode error(int status, String message) {
    return OpenAiErrors.body(status, message);
  }

  @Override
  public String failureMessage(Conversation conversation, int status) {
    return OpenAiErrors.message(conversation, status);
  }

  private static void message(String role, JsonNode content, List<Entry> entries) {
    switch (role) {
      case "assistant" -> entries.add(new Entry.Model());
      case "tool", "function" ->
          entries.add(
              new Entry.ToolResult(content.isTextual() ? content.asText() : content.toString()));
      case "user" -> {
        if (content.isTextual()) {
          entries.add(new Entry.User(content.asText()));
        }
        content.forEach(part -> entries.add(new Entry.User(part.path("text").asText(""))));
      }
      default -> {}
    }
  }

  private static List<OfferedTool> tools(JsonNode offered) {
    List<OfferedTool> tools = new ArrayList<>();
    for (JsonNode tool : offered) {
      JsonNode function = tool.path("function");
      if (function.isObject()) {
        tools.add(
            new OfferedTool(
                "",
                function.path("name").asText(""),
                Form.FUNCTION,
                function.has("parameters")
                    ? function.path("parameters")
                    : JSON.createObjectNode()));
      }
    }
    return tools;
  }
}
