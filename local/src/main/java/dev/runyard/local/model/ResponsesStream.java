package dev.runyard.local.model;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.local.model.ModelReply.Ending;
import dev.runyard.local.model.ModelReply.Part;
import dev.runyard.local.model.ModelWire.Frame;
import dev.runyard.local.model.ModelWire.Sink;
import java.io.IOException;
import java.util.List;

/// The server-sent events of one streamed answer, in the order of the Responses API.
final class ResponsesStream {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final ResponsesItems items;
  private final ModelReply.Answer answer;
  private final Sink sink;
  private int sequence;

  ResponsesStream(Conversation conversation, ModelReply.Answer answer, Sink sink) {
    this.items = new ResponsesItems(conversation);
    this.answer = answer;
    this.sink = sink;
  }

  void send() throws IOException {
    sendResponse("response.created", false);
    sendResponse("response.in_progress", false);
    List<Part> parts = answer.parts();
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      sendItem("response.output_item.added", part, i, false);
      switch (part) {
        case Part.Text text -> sendText(text, i);
        case Part.Reasoning(String text) -> sendReasoning(part, text, i);
        case Part.ToolCall call -> sendCall(call, i);
      }
      sendItem("response.output_item.done", part, i, true);
    }
    switch (answer.ending()) {
      case Ending.Complete _ -> sendResponse("response.completed", true);
      case Ending.Fail _ -> sendResponse("response.failed", true);
      case Ending.Hang _, Ending.Drop _ -> {}
    }
  }

  private void sendResponse(String type, boolean ended) throws IOException {
    ObjectNode event = JSON.createObjectNode();
    event.set("response", items.response(answer, ended));
    send(type, event, 0);
  }

  private void sendItem(String type, Part part, int index, boolean completed) throws IOException {
    ObjectNode event = JSON.createObjectNode().put("output_index", index);
    event.set("item", items.item(part, index, completed));
    send(type, event, 0);
  }

  private void sendText(Part.Text text, int index) throws IOException {
    sendPart("response.content_part.added", text, index, "");
    int pauseMillis = 0;
    for (String delta : text.deltas()) {
      send(
          "response.output_text.delta",
          at(text, index).put("content_index", 0).put("delta", delta),
          pauseMillis);
      pauseMillis = text.pauseMillis();
    }
    String whole = text.whole();
    send(
        "response.output_text.done", at(text, index).put("content_index", 0).put("text", whole), 0);
    sendPart("response.content_part.done", text, index, whole);
  }

  private void sendPart(String type, Part part, int index, String text) throws IOException {
    ObjectNode event = at(part, index).put("content_index", 0);
    event.set("part", items.textPart(text));
    send(type, event, 0);
  }

  private void sendReasoning(Part part, String text, int index) throws IOException {
    ObjectNode added = summary(part, index);
    added.set("part", items.summaryPart(""));
    send("response.reasoning_summary_part.added", added, 0);
    send("response.reasoning_summary_text.delta", summary(part, index).put("delta", text), 0);
    send("response.reasoning_summary_text.done", summary(part, index).put("text", text), 0);
    ObjectNode done = summary(part, index);
    done.set("part", items.summaryPart(text));
    send("response.reasoning_summary_part.done", done, 0);
  }

  private void sendCall(Part.ToolCall call, int index) throws IOException {
    String arguments = call.arguments();
    switch (call.tool().form()) {
      case FUNCTION -> {
        String type = "response.function_call_arguments.";
        send(type + "delta", at(call, index).put("delta", arguments), 0);
        send(type + "done", at(call, index).put("arguments", arguments), 0);
      }
      case FREE_FORM -> {
        String type = "response.custom_tool_call_input.";
        send(type + "delta", at(call, index).put("delta", arguments), 0);
        send(type + "done", at(call, index).put("input", arguments), 0);
      }
      case LOCAL_SHELL -> {}
    }
  }

  private ObjectNode at(Part part, int index) {
    return JSON.createObjectNode()
        .put("item_id", items.itemId(part, index))
        .put("output_index", index);
  }

  private ObjectNode summary(Part part, int index) {
    return at(part, index).put("summary_index", 0);
  }

  private void send(String type, ObjectNode event, int pauseMillis) throws IOException {
    ObjectNode data = JSON.createObjectNode().put("type", type).put("sequence_number", sequence++);
    data.setAll(event);
    sink.send(new Frame(type, data.toString(), pauseMillis));
  }
}
