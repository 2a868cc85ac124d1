package dev.runyard.local.model;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.local.model.ModelReply.Ending;
import dev.runyard.local.model.ModelReply.Part;
import dev.runyard.local.model.ModelWire.Frame;
import dev.runyard.local.model.ModelWire.Sink;
import java.io.IOException;
import java.util.List;

/// The server-sent events of one streamed answer, in the order of the Messages API.
record MessagesStream(MessagesItems items, ModelReply.Answer answer, Sink sink) {

  private static final ObjectMapper JSON = new ObjectMapper();

  void send() throws IOException {
    ObjectNode start = event("message_start");
    start.set("message", items.started(answer));
    send(start, 0);
    List<Part> parts = answer.parts();
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      ObjectNode begin = at("content_block_start", i);
      begin.set("content_block", items.block(part, i, false));
      send(begin, 0);
      sendDeltas(part, i);
      send(at("content_block_stop", i), 0);
    }
    switch (answer.ending()) {
      case Ending.Complete _ -> {
        ObjectNode end = event("message_delta");
        end.putObject("delta")
            .put("stop_reason", MessagesItems.stopReason(answer))
            .putNull("stop_sequence");
        end.putObject("usage").put("output_tokens", answer.tokens().output());
        send(end, 0);
        send(event("message_stop"), 0);
      }
      case Ending.Fail(String code) -> send(MessagesItems.failed(code), 0);
      case Ending.Hang _, Ending.Drop _ -> {}
    }
  }

  private void sendDeltas(Part part, int index) throws IOException {
    switch (part) {
      case Part.Text text -> {
        int pauseMillis = 0;
        for (String delta : text.deltas()) {
          sendDelta(index, "text_delta", "text", delta, pauseMillis);
          pauseMillis = text.pauseMillis();
        }
      }
      case Part.Reasoning(String text) -> {
        sendDelta(index, "thinking_delta", "thinking", text, 0);
        sendDelta(index, "signature_delta", "signature", MessagesItems.signature(), 0);
      }
      case Part.ToolCall call ->
          sendDelta(index, "input_json_delta", "partial_json", call.argumentsTree().toString(), 0);
    }
  }

  private void sendDelta(int index, String type, String member, String text, int pauseMillis)
      throws IOException {
    ObjectNode event = at("content_block_delta", index);
    event.putObject("delta").put("type", type).put(member, text);
    send(event, pauseMillis);
  }

  private static ObjectNode event(String type) {
    return JSON.createObjectNode().put("type", type);
  }

  private static ObjectNode at(String type, int index) {
    return event(type).put("index", index);
  }

  private void send(ObjectNode event, int pauseMillis) throws IOException {
    sink.send(new Frame(event.path("type").asText(), event.toString(), pauseMillis));
  }
}
