package dev.runyard.local.model;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.local.model.ModelReply.Ending;
import dev.runyard.local.model.ModelReply.Part;
import dev.runyard.local.model.ModelWire.Frame;
import dev.runyard.local.model.ModelWire.Sink;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// The JSON objects of the Gemini API. A stream is a sequence of replies, each with the next piece.
record GeminiItems(Conversation conversation) {

  private static final ObjectMapper JSON = new ObjectMapper();

  ObjectNode whole(ModelReply.Answer answer) {
    if (answer.ending() instanceof Ending.Fail(String code)) {
      return failed(code);
    }
    List<ObjectNode> parts = new ArrayList<>();
    for (Part part : answer.parts()) {
      parts.add(
          switch (part) {
            case Part.Text text -> text(text.whole());
            case Part.Reasoning(String text) -> text(text).put("thought", true);
            case Part.ToolCall call -> call(call);
          });
    }
    return ended(reply(parts), answer);
  }

  void stream(ModelReply.Answer answer, Sink sink) throws IOException {
    for (Part part : answer.parts()) {
      switch (part) {
        case Part.Text text -> {
          int pauseMillis = 0;
          for (String delta : text.deltas()) {
            sink.send(Frame.of(reply(List.of(text(delta))), pauseMillis));
            pauseMillis = text.pauseMillis();
          }
        }
        case Part.Reasoning(String text) ->
            sink.send(Frame.of(reply(List.of(text(text).put("thought", true))), 0));
        case Part.ToolCall call -> sink.send(Frame.of(reply(List.of(call(call))), 0));
      }
    }
    switch (answer.ending()) {
      case Ending.Complete _ -> sink.send(Frame.of(ended(reply(List.of(text(""))), answer), 0));
      case Ending.Fail(String code) -> sink.send(Frame.of(failed(code), 0));
      case Ending.Hang _, Ending.Drop _ -> {}
    }
  }

  private ObjectNode reply(List<ObjectNode> parts) {
    ObjectNode reply = JSON.createObjectNode();
    ObjectNode content =
        reply.putArray("candidates").addObject().put("index", 0).putObject("content");
    content.put("role", "model").putArray("parts").addAll(parts);
    return reply
        .put("modelVersion", conversation.model())
        .put("responseId", "response-" + conversation.entries().size());
  }

  private static ObjectNode ended(ObjectNode reply, ModelReply.Answer answer) {
    Tokens tokens = answer.tokens();
    if (reply.at("/candidates/0") instanceof ObjectNode candidate) {
      candidate.put("finishReason", "STOP");
    }
    reply
        .putObject("usageMetadata")
        .put("promptTokenCount", tokens.input())
        .put("cachedContentTokenCount", tokens.cached())
        .put("candidatesTokenCount", Math.max(0, tokens.output() - tokens.reasoning()))
        .put("thoughtsTokenCount", tokens.reasoning())
        .put("totalTokenCount", tokens.total());
    return reply;
  }

  private static ObjectNode text(String text) {
    return JSON.createObjectNode().put("text", text);
  }

  private static ObjectNode call(Part.ToolCall call) {
    ObjectNode part = JSON.createObjectNode();
    part.putObject("functionCall")
        .put("name", call.tool().name())
        .set("args", call.argumentsTree());
    return part;
  }

  private static ObjectNode failed(String code) {
    ObjectNode body = JSON.createObjectNode();
    body.putObject("error")
        .put("code", 500)
        .put("message", "The script ends the reply with " + code)
        .put("status", code);
    return body;
  }
}
