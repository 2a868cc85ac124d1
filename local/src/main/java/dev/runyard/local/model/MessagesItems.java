package dev.runyard.local.model;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.local.model.ModelReply.Ending;
import dev.runyard.local.model.ModelReply.Part;
import java.util.List;

/// The JSON objects of the Messages API: the message and its content blocks.
record MessagesItems(Conversation conversation) {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String SIGNATURE = "c2NyaXB0ZWQ=";

  /// The message at its start: without content, its output not counted yet.
  ObjectNode started(ModelReply.Answer answer) {
    ObjectNode message =
        JSON.createObjectNode()
            .put("id", "msg_" + mark())
            .put("type", "message")
            .put("role", "assistant")
            .put("model", conversation.model());
    message.putArray("content");
    message.putNull("stop_reason").putNull("stop_sequence");
    message.set("usage", usage(answer.tokens(), 0));
    return message;
  }

  ObjectNode whole(ModelReply.Answer answer) {
    if (answer.ending() instanceof Ending.Fail(String code)) {
      return failed(code);
    }
    ObjectNode message = started(answer);
    ArrayNode content = message.withArray("/content");
    List<Part> parts = answer.parts();
    for (int i = 0; i < parts.size(); i++) {
      content.add(block(parts.get(i), i, true));
    }
    message.put("stop_reason", stopReason(answer));
    message.set("usage", usage(answer.tokens(), answer.tokens().output()));
    return message;
  }

  /// The block of one part, empty until it is `completed`.
  ObjectNode block(Part part, int index, boolean completed) {
    ObjectNode block = JSON.createObjectNode();
    return switch (part) {
      case Part.Reasoning(String text) ->
          block
              .put("type", "thinking")
              .put("thinking", completed ? text : "")
              .put("signature", completed ? SIGNATURE : "");
      case Part.Text text -> block.put("type", "text").put("text", completed ? text.whole() : "");
      case Part.ToolCall call -> {
        block
            .put("type", "tool_use")
            .put("id", "toolu_" + mark() + "_" + index)
            .put("name", call.tool().name())
            .set("input", completed ? call.argumentsTree() : JSON.createObjectNode());
        yield block;
      }
    };
  }

  static ObjectNode failed(String code) {
    return error(code, "The script ends the reply with " + code);
  }

  static ObjectNode error(String type, String message) {
    ObjectNode body = JSON.createObjectNode().put("type", "error");
    body.putObject("error").put("type", type).put("message", message);
    return body;
  }

  static String stopReason(ModelReply.Answer answer) {
    return answer.callsTool() ? "tool_use" : "end_turn";
  }

  static String signature() {
    return SIGNATURE;
  }

  private static ObjectNode usage(Tokens tokens, long output) {
    return JSON.createObjectNode()
        .put("input_tokens", Math.max(0, tokens.input() - tokens.cached()))
        .put("cache_creation_input_tokens", 0)
        .put("cache_read_input_tokens", tokens.cached())
        .put("output_tokens", output);
  }

  private int mark() {
    return conversation.entries().size();
  }
}
