package dev.runyard.local.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.runyard.local.model.Conversation.Entry;
import dev.runyard.local.model.OfferedTool.Form;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The OpenAI Responses API, as far as agents without stored responses use it.
///
/// `previous_response_id` is refused: the whole history has to be in `input`.
final class ResponsesWire implements ModelWire {

  private static final ObjectMapper JSON = new ObjectMapper();

  @Override
  public String path() {
    return "/v1/responses";
  }

  @Override
  public Optional<String> objection(ModelRequest request) {
    JsonNode body = request.body();
    if (body.path("previous_response_id").isTextual()) {
      return Optional.of("No response is stored here: send the whole history as input.");
    }
    JsonNode input = body.path("input");
    return input.isArray() || input.isTextual()
        ? Optional.empty()
        : Optional.of("input must be a text or a list of items.");
  }

  @Override
  public Conversation conversation(ModelRequest request) {
    JsonNode body = request.body();
    return new Conversation(
        body.path("prompt_cache_key").asText(""),
        body.path("model").asText(ScriptedModelServer.MODEL),
        entries(body.path("input")),
        tools(body.path("tools")),
        Optional.of(body.at("/text/format/schema")).filter(JsonNode::isObject),
        request.size());
  }

  @Override
  public void stream(
      ModelRequest request, Conversation conversation, ModelReply.Answer answer, Sink sink)
      throws IOException {
    new ResponsesStream(conversation, answer, sink).send();
  }

  @Override
  public JsonNode whole(Conversation conversation, ModelReply.Answer answer) {
    return new ResponsesItems(conversation).response(answer, true);
  }

  @Override
  public JsonNode error(int status, String message) {
    return OpenAiErrors.body(status, message);
  }

  @Override
  public String failureMessage(Conversation conversation, int status) {
    return OpenAiErrors.message(conversation, status);
  }

  private static List<Entry> entries(JsonNode input) {
    if (input.isTextual()) {
      return List.of(new Entry.User(input.asText()));
    }
    List<Entry> entries = new ArrayList<>();
    for (JsonNode item : input) {
      String type = item.path("type").asText("message");
      if (type.equals("message")) {
        message(item, entries);
      } else if (type.endsWith("_output")) {
        entries.add(new Entry.ToolResult(text(item.path("output"))));
      } else {
        entries.add(new Entry.Model());
      }
    }
    return entries;
  }

  private static String text(JsonNode output) {
    return output.isTextual() ? output.asText() : output.toString();
  }

  private static void message(JsonNode item, List<Entry> entries) {
    switch (item.path("role").asText()) {
      case "user" -> {
        JsonNode content = item.path("content");
        if (content.isTextual()) {
          entries.add(new Entry.User(content.asText()));
        }
        for (JsonNode block : content) {
          entries.add(new Entry.User(block.path("text").asText("")));
        }
      }
      case "assistant" -> entries.add(new Entry.Model());
      default -> {}
    }
  }

  private static List<OfferedTool> tools(JsonNode offered) {
    List<OfferedTool> tools = new ArrayList<>();
    offered.forEach(tool -> addTool("", tool, tools));
    return tools;
  }

  private static void addTool(String namespace, JsonNode tool, List<OfferedTool> tools) {
    String name = tool.path("name").asText("");
    switch (tool.path("type").asText()) {
      case "function" ->
          tools.add(new OfferedTool(namespace, name, Form.FUNCTION, tool.path("parameters")));
      case "custom" ->
          tools.add(new OfferedTool(namespace, name, Form.FREE_FORM, JSON.createObjectNode()));
      case "local_shell" ->
          tools.add(new OfferedTool("", "local_shell", Form.LOCAL_SHELL, JSON.createObjectNode()));
      case "namespace" -> tool.path("tools").forEach(member -> addTool(name, member, tools));
      default -> {}
    }
  }
}
