package dev.runyard.local.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Optional;

/// One provider's form of requests and replies on HTTP. A further provider is a further wire.
interface ModelWire {

  /// The path requests are posted to.
  String path();

  /// Why the request cannot be answered, in words for its sender; empty when it can.
  Optional<String> objection(JsonNode request);

  Conversation conversation(JsonNode request, long size);

  /// Whether the sender asked for server-sent events.
  boolean streams(JsonNode request);

  /// Sends the events of a streamed answer, one at a time. An answer that hangs or drops has no
  /// closing events.
  void stream(Conversation conversation, Reply.Answer answer, Sink sink) throws IOException;

  /// The body of an answer that is not streamed.
  JsonNode whole(Conversation conversation, Reply.Answer answer);

  /// The body of an error.
  JsonNode error(int status, String message);

  /// What the provider itself would say with this status.
  String failureMessage(Conversation conversation, int status);

  /// One server-sent event, sent `pauseMillis` after the one before.
  record Frame(String event, JsonNode data, int pauseMillis) {}

  /// Where events go.
  interface Sink {
    void send(Frame frame) throws IOException;
  }
}
