package dev.runyard.local.model;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.local.model.ModelReply.Ending;
import dev.runyard.local.model.ModelReply.Part;
import dev.runyard.local.model.ModelWire.Frame;
import dev.runyard.local.model.ModelWire.Sink;
import java.io.IOException;
import java.util.List;

/// The server-sent events of one streamed answer, in the order of the Chat Completions API.
///
/// @param usage whether the sender asked for the usage at the end
record ChatStream(ChatItems items, ModelReply.Answer answer, boolean usage, Sink sink) {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String DONE = "[DONE]";

  void send() throws IOException {
    sendDelta(JSON.createObjectNode().put("role", "assistant").put("content", ""), 0);
    List<Part> parts = answer.parts();
    int calls = 0;
    for (int i = 0; i < parts.size(); i++) {
      switch (parts.get(i)) {
        case Part.Text text -> sendText(text);
        case Part.Reasoning(String text) ->
            sendDelta(JSON.createObjectNode().put("reasoning_content", text), 0);
        case Part.ToolCall call -> {
          ObjectNode delta = JSON.createObjectNode();
          delta.putArray("tool_calls").add(items.call(call, i, calls++));
          sendDelta(delta, 0);
        }
      }
    }
    switch (answer.ending()) {
      case Ending.Complete _ -> {
        sink.send(Frame.of(items.lastChunk(answer), 0));
        if (usage) {
          sink.send(Frame.of(items.usageChunk(answer), 0));
        }
        sink.send(new Frame("", DONE, 0));
      }
      case Ending.Fail(String code) -> sink.send(Frame.of(ChatItems.failed(code), 0));
      case Ending.Hang _, Ending.Drop _ -> {}
    }
  }

  private void sendText(Part.Text text) throws IOException {
    int pauseMillis = 0;
    for (String delta : text.deltas()) {
      sendDelta(JSON.createObjectNode().put("content", delta), pauseMillis);
      pauseMillis = text.pauseMillis();
    }
  }

  private void sendDelta(ObjectNode delta, int pauseMillis) throws IOException {
    sink.send(Frame.of(items.chunk(delta), pauseMillis));
  }
}
