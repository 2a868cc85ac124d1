package dev.runyard.local.model;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.local.model.ModelReply.Ending;
import dev.runyard.local.model.ModelReply.Part;
import java.util.List;

/// The JSON objects of the Chat Completions API.
record ChatItems(Conversation conversation) {

  private static final ObjectMapper JSON = new ObjectMapper();

  ObjectNode whole(ModelReply.Answer answer) {
    if (answer.ending() instanceof Ending.Fail(String code)) {
      return failed(code);
    }
    ObjectNode completion = completion("chat.completion");
    ObjectNode choice = completion.putArray("choices").addObject().put("index", 0);
    ObjectNode message = choice.putObject("message").put("role", "assistant").putNull("content");
    List<Part> parts = answer.parts();
    StringBuilder content = new StringBuilder();
    for (int i = 0; i < parts.size(); i++) {
      switch (parts.get(i)) {
        case Part.Text text -> message.put("content", content.append(text.whole()).toString());
        case Part.Reasoning(String text) -> message.put("reasoning_content", text);
        case Part.ToolCall call -> message.withArray("/tool_calls").add(call(call, i, 0));
      }
    }
    choice.put("finish_reason", finishReason(answer));
    completion.set("usage", usage(answer.tokens()));
    return completion;
  }

  /// A piece of the message. A null reason means that it is not known yet.
  ObjectNode chunk(ObjectNode delta) {
    ObjectNode chunk = completion("chat.completion.chunk");
    ObjectNode choice = chunk.putArray("choices").addObject().put("index", 0);
    choice.set("delta", delta);
    choice.putNull("finish_reason");
    return chunk;
  }

  ObjectNode lastChunk(ModelReply.Answer answer) {
    ObjectNode chunk = completion("chat.completion.chunk");
    ObjectNode choice = chunk.putArray("choices").addObject().put("index", 0);
    choice.putObject("delta");
    choice.put("finish_reason", finishReason(answer));
    return chunk;
  }

  ObjectNode usageChunk(ModelReply.Answer answer) {
    ObjectNode chunk = completion("chat.completion.chunk");
    chunk.putArray("choices");
    chunk.set("usage", usage(answer.tokens()));
    return chunk;
  }

  /// @param part its index among the parts of the answer
  /// @param index its index among the tool calls of the answer
  ObjectNode call(Part.ToolCall call, int part, int index) {
    ObjectNode item =
        JSON.createObjectNode()
            .put("index", index)
            .put("id", "call_" + conversation.entries().size() + "_" + part)
            .put("type", "function");
    item.putObject("function").put("name", call.tool().name()).put("arguments", call.arguments());
    return item;
  }

  static ObjectNode failed(String code) {
    ObjectNode body = JSON.createObjectNode();
    body.putObject("error")
        .put("message", "The script ends the reply with " + code)
        .put("type", "server_error")
        .put("code", code);
    return body;
  }

  private ObjectNode completion(String object) {
    return JSON.createObjectNode()
        .put("id", "chatcmpl-" + conversation.entries().size())
        .put("object", object)
        .put("created", 0)
        .put("model", conversation.model());
  }

  private static String finishReason(ModelReply.Answer answer) {
    return answer.callsTool() ? "tool_calls" : "stop";
  }

  private static ObjectNode usage(Tokens tokens) {
    ObjectNode usage =
        JSON.createObjectNode()
            .put("prompt_tokens", tokens.input())
            .put("completion_tokens", tokens.output())
            .put("total_tokens", tokens.total());
    usage.putObject("prompt_tokens_details").put("cached_tokens", tokens.cached());
    usage.putObject("completion_tokens_details").put("reasoning_tokens", tokens.reasoning());
    return usage;
  }
}
