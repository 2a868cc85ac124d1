package dev.runyard.local.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.local.model.Conversation.Entry;
import dev.runyard.local.model.OfferedTool.Form;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The Gemini API. The model and the operation are in the path.
final class GeminiWire implements ModelWire {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern ACTION =
      Pattern.compile("/v1beta/models/(.+):(generateContent|streamGenerateContent|countTokens)");

  @Override
  public String path() {
    return "/v1beta/models";
  }

  @Override
  public boolean serves(String path) {
    return ACTION.matcher(path).matches();
  }

  @Override
  public Optional<JsonNode> aside(ModelRequest request) {
    return request.path().endsWith(":countTokens")
        ? Optional.of(
            JSON.createObjectNode().put("totalTokens", request.size() / ScriptedModel.TOKEN_CHARS))
        : Optional.empty();
  }

  @Override
  public Optional<String> objection(ModelRequest request) {
    return request.body().path("contents").isArray()
        ? Optional.empty()
        : Optional.of("* GenerateContentRequest.contents: contents is not specified");
  }

  @Override
  public boolean streams(ModelRequest request) {
    return request.path().endsWith(":streamGenerateContent");
  }

  @Override
  public Conversation conversation(ModelRequest request) {
    Matcher action = ACTION.matcher(request.path());
    String model = action.matches() ? action.group(1) : ScriptedModelServer.MODEL;
    JsonNode body = request.body();
    List<Entry> entries = new ArrayList<>();
    body.path("contents").forEach(content -> content(content, entries));
    return new Conversation(
        Integer.toHexString(body.path("systemInstruction").hashCode()),
        model,
        entries,
        tools(body.path("tools")),
        shape(body.path("generationConfig")),
        request.size());
  }

  private static Optional<JsonNode> shape(JsonNode config) {
    JsonNode schema =
        config.has("responseJsonSchema")
            ? config.path("responseJsonSchema")
            : config.path("responseSchema");
    return Optional.of(schema).filter(JsonNode::isObject);
  }

  @Override
  public void stream(
      ModelRequest request, Conversation conversation, ModelReply.Answer answer, Sink sink)
      throws IOException {
    new GeminiItems(conversation).stream(answer, sink);
  }

  @Override
  public JsonNode whole(Conversation conversation, ModelReply.Answer answer) {
    return new GeminiItems(conversation).whole(answer);
  }

  @Override
  public JsonNode error(int status, String message) {
    ObjectNode body = JSON.createObjectNode();
    body.putObject("error")
        .put("code", status)
        .put("message", message)
        .put("status", status(status));
    return body;
  }

  @Override
  public String failureMessage(Conversation conversation, int status) {
    return switch (status) {
      case 400 -> "Request contains an invalid argument.";
      case 401 -> "API key not valid. Please pass a valid API key.";
      case 402 -> "You exceeded your current quota, please check your plan and billing details.";
      case 403 -> "The caller does not have permission";
      case 404 ->
          "models/%s is not found for API version v1beta, or is not supported for generateContent."
              .formatted(conversation.model());
      case 429 -> "Resource has been exhausted (e.g. check quota).";
      default -> "The script answers with status " + status + ".";
    };
  }

  private static String status(int status) {
    return switch (status) {
      case 401 -> "UNAUTHENTICATED";
      case 403 -> "PERMISSION_DENIED";
      case 404 -> "NOT_FOUND";
      case 402, 429 -> "RESOURCE_EXHAUSTED";
      case 503 -> "UNAVAILABLE";
      default -> status < 500 ? "INVALID_ARGUMENT" : "INTERNAL";
    };
  }

  private static void content(JsonNode content, List<Entry> entries) {
    if (content.path("role").asText().equals("model")) {
      entries.add(new Entry.Model());
      return;
    }
    for (JsonNode part : content.path("parts")) {
      if (part.has("functionResponse")) {
        entries.add(new Entry.ToolResult(part.at("/functionResponse/response").toString()));
      } else if (part.has("text")) {
        entries.add(new Entry.User(part.path("text").asText("")));
      }
    }
  }

  private static List<OfferedTool> tools(JsonNode groups) {
    List<OfferedTool> tools = new ArrayList<>();
    for (JsonNode group : groups) {
      for (JsonNode tool : group.path("functionDeclarations")) {
        JsonNode schema =
            tool.has("parametersJsonSchema")
                ? tool.path("parametersJsonSchema")
                : tool.path("parameters");
        tools.add(
            new OfferedTool(
                "",
                tool.path("name").asText(""),
                Form.FUNCTION,
                schema.isObject() ? schema : JSON.createObjectNode()));
      }
    }
    return tools;
  }
}
