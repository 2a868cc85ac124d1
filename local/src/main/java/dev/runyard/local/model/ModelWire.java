package dev.runyard.local.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Optional;

/// One provider's form of requests and replies over HTTP. Another provider is another wire.
interface ModelWire {

  /// The path below which the wire is served.
  String path();

  /// Whether requests are posted to this path.
  default boolean serves(String path) {
    return path.equals(path());
  }

  /// The reply to a request that is not a question to the model, such as a count of tokens; empty
  /// when it is one.
  default Optional<JsonNode> aside(ModelRequest request) {
    return Optional.empty();
  }

  /// Why the request cannot be answered, as a message for its sender; empty when it can.
  Optional<String> objection(ModelRequest request);

  Conversation conversation(ModelRequest request);

  /// Whether the sender asked for server-sent events.
  default boolean streams(ModelRequest request) {
    return request.body().path("stream").asBoolean(false);
  }

  /// Sends the events of a streamed answer, one at a time. An answer that hangs or drops has no
  /// closing events.
  void stream(ModelRequest request, Conversation conversation, ModelReply.Answer answer, Sink sink)
      throws IOException;

  /// The body of an answer that is not streamed.
  JsonNode whole(Conversation conversation, ModelReply.Answer answer);

  /// The body of an error.
  JsonNode error(int status, String message);

  /// The provider's own message with this status.
  String failureMessage(Conversation conversation, int status);

  /// One server-sent event, sent `pauseMillis` after the one before.
  ///
  /// @param event empty for an event without a name
  record Frame(String event, String data, int pauseMillis) {

    static Frame of(JsonNode data, int pauseMillis) {
      return new Frame("", data.toString(), pauseMillis);
    }
  }

  /// Where events go.
  interface Sink {
    void send(Frame frame) throws IOException;
  }
}
