package dev.runyard.local.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.runyard.local.model.ModelReply.Ending;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Answers the requests of one wire over HTTP.
///
/// Every wait ends at once when the server closes. An exception thrown from here breaks the
/// connection without closing the stream properly, as `[[drop]]` requires.
final class ModelHandler implements HttpHandler {

  static final int REQUEST_BYTES_MAX = 32 * 1024 * 1024;
  static final int HANG_SECONDS_MAX = 3_600;
  static final int HANG_BEAT_MILLIS = 1_000;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final ModelWire wire;
  private final Consumer<ModelExchange> listener;
  private final CountDownLatch closing;
  private final FailureCounts failures = new FailureCounts();

  ModelHandler(ModelWire wire, Consumer<ModelExchange> listener, CountDownLatch closing) {
    this.wire = wire;
    this.listener = listener;
    this.closing = closing;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    if (!wire.serves(exchange.getRequestURI().getPath())) {
      refuse(exchange, 404, "There is nothing at this path.");
    } else if (!exchange.getRequestMethod().equals("POST")) {
      refuse(exchange, 405, "Only POST is answered here.");
    } else {
      byte[] body = exchange.getRequestBody().readNBytes(REQUEST_BYTES_MAX + 1);
      if (body.length > REQUEST_BYTES_MAX) {
        refuse(exchange, 413, "The request exceeds " + REQUEST_BYTES_MAX + " bytes.");
      } else {
        answer(exchange, body);
      }
    }
  }

  private void answer(HttpExchange exchange, byte[] body) throws IOException {
    JsonNode tree;
    try {
      tree = JSON.readTree(body);
    } catch (JsonProcessingException e) {
      refuse(exchange, 400, "The request is not JSON.");
      return;
    }
    ModelRequest request = new ModelRequest(exchange.getRequestURI().getPath(), tree, body.length);
    Optional<JsonNode> aside = wire.aside(request);
    if (aside.isPresent()) {
      respond(exchange, 200, aside.get());
      return;
    }
    Optional<String> objection = wire.objection(request);
    if (objection.isPresent()) {
      refuse(exchange, 400, objection.get());
      return;
    }
    Conversation conversation = wire.conversation(request);
    FailureCounts.Key key = new FailureCounts.Key(conversation);
    int failed = failures.of(key);
    ModelReply reply = ScriptedModel.reply(conversation, failed);
    listener.accept(ModelExchange.of(request.path(), conversation, reply, failed));
    pause(reply.delayMillis());
    switch (reply) {
      case ModelReply.Failure failure -> {
        failures.add(key);
        refuse(exchange, failure.status(), wire.failureMessage(conversation, failure.status()));
      }
      case ModelReply.Answer answer when wire.streams(request) ->
          stream(exchange, request, conversation, answer);
      case ModelReply.Answer answer -> send(exchange, conversation, answer);
    }
  }

  private void stream(
      HttpExchange exchange,
      ModelRequest request,
      Conversation conversation,
      ModelReply.Answer answer)
      throws IOException {
    exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
    exchange.sendResponseHeaders(200, 0);
    OutputStream out = exchange.getResponseBody();
    wire.stream(request, conversation, answer, frame -> write(out, frame));
    switch (answer.ending()) {
      case Ending.Complete _, Ending.Fail _ -> exchange.close();
      case Ending.Hang _ -> hang(out);
      case Ending.Drop _ -> throw new ScriptedDrop();
    }
  }

  private void send(HttpExchange exchange, Conversation conversation, ModelReply.Answer answer)
      throws IOException {
    switch (answer.ending()) {
      case Ending.Complete _, Ending.Fail _ ->
          respond(exchange, 200, wire.whole(conversation, answer));
      case Ending.Hang _ -> {
        pause(HANG_SECONDS_MAX * 1_000);
        throw new ScriptedDrop();
      }
      case Ending.Drop _ -> throw new ScriptedDrop();
    }
  }

  private void write(OutputStream out, ModelWire.Frame frame) throws IOException {
    pause(frame.pauseMillis());
    String name = frame.event().isEmpty() ? "" : "event: " + frame.event() + "\n";
    String text = name + "data: " + frame.data() + "\n\n";
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  /// Sends comments, which clients ignore, to learn when the client has gone.
  private void hang(OutputStream out) throws IOException {
    for (int waited = 0; waited < HANG_SECONDS_MAX * 1_000; waited += HANG_BEAT_MILLIS) {
      pause(HANG_BEAT_MILLIS);
      out.write(":\n\n".getBytes(StandardCharsets.UTF_8));
      out.flush();
    }
    throw new ScriptedDrop();
  }

  private void pause(int millis) throws IOException {
    try {
      if (millis > 0 && closing.await(millis, TimeUnit.MILLISECONDS)) {
        throw new ScriptedDrop();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ScriptedDrop();
    }
  }

  private void refuse(HttpExchange exchange, int status, String message) throws IOException {
    respond(exchange, status, wire.error(status, message));
  }

  private static void respond(HttpExchange exchange, int status, JsonNode body) throws IOException {
    try (exchange) {
      byte[] bytes = JSON.writeValueAsBytes(body);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(status, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  /// Breaks the connection on purpose.
  private static final class ScriptedDrop extends IOException {
    private static final long serialVersionUID = 1L;
  }
}
