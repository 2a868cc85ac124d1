package dev.runyard.local.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.local.model.ModelReply.Ending;
import dev.runyard.local.model.ModelReply.Part;
import java.util.List;

/// The JSON objects of the Responses API: the response and its output items.
///
/// Ids follow from the length of the history, so a repeated request gets the same ones and those of
/// one conversation differ.
record ResponsesItems(Conversation conversation) {

  private static final ObjectMapper JSON = new ObjectMapper();

  /// The response at its start, or at its end if it has `ended`.
  ObjectNode response(ModelReply.Answer answer, boolean ended) {
    ObjectNode response =
        JSON.createObjectNode()
            .put("id", "resp_" + mark())
            .put("object", "response")
            .put("created_at", 0)
            .put("status", "in_progress")
            .put("model", conversation.model());
    response.putNull("error").putNull("usage");
    ArrayNode output = response.putArray("output");
    if (ended) {
      end(response, answer);
      List<Part> parts = answer.parts();
      for (int i = 0; i < parts.size(); i++) {
        output.add(item(parts.get(i), i, true));
      }
    }
    return response;
  }

  private static void end(ObjectNode response, ModelReply.Answer answer) {
    if (answer.ending() instanceof Ending.Fail(String code)) {
      response.put("status", "failed");
      response
          .putObject("error")
          .put("code", code)
          .put("message", "The script ends the reply with " + code);
    } else {
      response.put("status", "completed").set("usage", usage(answer.tokens()));
    }
  }

  /// The item of one part, with its content when it is `completed`.
  ObjectNode item(Part part, int index, boolean completed) {
    ObjectNode item = JSON.createObjectNode().put("id", itemId(part, index));
    String status = completed ? "completed" : "in_progress";
    switch (part) {
      case Part.Reasoning(String text) -> {
        ArrayNode summary = item.put("type", "reasoning").putArray("summary");
        if (completed) {
          summary.add(summaryPart(text));
        }
      }
      case Part.Text text -> {
        item.put("type", "message").put("role", "assistant").put("status", status);
        ArrayNode content = item.putArray("content");
        if (completed) {
          content.add(textPart(text.whole()));
        }
      }
      case Part.ToolCall(OfferedTool tool, String arguments) -> {
        item.put("call_id", "call_" + mark() + "_" + index).put("status", status);
        call(item, tool, completed ? arguments : "");
      }
    }
    return item;
  }

  String itemId(Part part, int index) {
    String prefix =
        switch (part) {
          case Part.Reasoning _ -> "rs_";
          case Part.Text _ -> "msg_";
          case Part.ToolCall _ -> "fc_";
        };
    return prefix + mark() + "_" + index;
  }

  ObjectNode textPart(String text) {
    ObjectNode part = JSON.createObjectNode().put("type", "output_text").put("text", text);
    part.putArray("annotations");
    return part;
  }

  ObjectNode summaryPart(String text) {
    return JSON.createObjectNode().put("type", "summary_text").put("text", text);
  }

  private static void call(ObjectNode item, OfferedTool tool, String arguments) {
    switch (tool.form()) {
      case FUNCTION -> {
        item.put("type", "function_call").put("name", tool.name()).put("arguments", arguments);
        if (!tool.namespace().isEmpty()) {
          item.put("namespace", tool.namespace());
        }
      }
      case FREE_FORM ->
          item.put("type", "custom_tool_call").put("name", tool.name()).put("input", arguments);
      case LOCAL_SHELL -> item.put("type", "local_shell_call").set("action", tree(arguments));
    }
  }

  private static JsonNode tree(String json) {
    try {
      return json.isEmpty() ? JSON.createObjectNode() : JSON.readTree(json);
    } catch (JsonProcessingException e) {
      return JSON.createObjectNode().put("type", "exec");
    }
  }

  private static ObjectNode usage(Tokens tokens) {
    ObjectNode usage = JSON.createObjectNode().put("input_tokens", tokens.input());
    usage.putObject("input_tokens_details").put("cached_tokens", tokens.cached());
    usage.put("output_tokens", tokens.output());
    usage.putObject("output_tokens_details").put("reasoning_tokens", tokens.reasoning());
    return usage.put("total_tokens", tokens.total());
  }

  private int mark() {
    return conversation.entries().size();
  }
}
