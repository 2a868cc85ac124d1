package dev.runyard.local.emulator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.runyard.core.webhook.EventBus;
import dev.runyard.core.webhook.WebhookSender.Answer;
import dev.runyard.local.http.LoopbackServer;
import dev.runyard.local.rights.AccessCheck;
import dev.runyard.local.rights.Asked;
import dev.runyard.local.template.PseudoParameters;
import dev.runyard.local.threads.StackThreads;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;

/// The part of EventBridge that takes events, on a free loopback port. There is a bus of any name,
/// and all are one.
public final class EmbeddedEventBus implements AutoCloseable {
  private static final Logger LOG = System.getLogger(EmbeddedEventBus.class.getName());
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String PUT = "AWSEvents.PutEvents";
  private static final int BODY_BYTES_MAX = 1 << 20;

  private final EventBus bus;
  private final AccessCheck access;
  private final HttpServer server;
  private final ExecutorService threads = StackThreads.pool("bus");

  /// Starts listening.
  ///
  /// @param bus gets what is put on any
  public EmbeddedEventBus(EventBus bus, AccessCheck access) {
    this.bus = bus;
    this.access = access;
    this.server = LoopbackServer.start(threads, this::answer);
  }

  /// The address for functions.
  public URI endpoint() {
    return LoopbackServer.address(server);
  }

  /// The ARN of a bus.
  public static String arn(String name) {
    return "arn:aws:events:%s:%s:event-bus/%s"
        .formatted(PseudoParameters.REGION, PseudoParameters.ACCOUNT, name);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      EcsCalls.Reply reply = reply(exchange);
      byte[] body = JSON.writeValueAsBytes(reply.body());
      exchange.getResponseHeaders().set("Content-Type", "application/x-amz-json-1.1");
      exchange.sendResponseHeaders(reply.status(), body.length);
      exchange.getResponseBody().write(body);
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "a call of the bus failed", e);
    }
  }

  private EcsCalls.Reply reply(HttpExchange exchange) throws IOException {
    String target = String.valueOf(exchange.getRequestHeaders().getFirst("X-Amz-Target"));
    JsonNode body = JSON.readTree(exchange.getRequestBody().readNBytes(BODY_BYTES_MAX));
    if (!target.equals(PUT)) {
      return EcsCalls.Reply.refused("UnknownOperationException", "not offered locally");
    }
    List<Asked> asked = new ArrayList<>();
    body.path("Entries")
        .forEach(
            entry ->
                asked.add(Asked.of("events:PutEvents", arn(entry.path("EventBusName").asText()))));
    return access
        .refusal(exchange.getRequestHeaders().getFirst("Authorization"), asked)
        .map(why -> EcsCalls.Reply.refused("AccessDeniedException", why))
        .orElseGet(() -> put(body.path("Entries")));
  }

  private EcsCalls.Reply put(JsonNode entries) {
    ObjectNode reply = JSON.createObjectNode();
    int failed = 0;
    for (JsonNode entry : entries) {
      Answer answer =
          bus.publish(
              new EventBus.Published(
                  entry.path("DetailType").asText(),
                  Instant.ofEpochSecond(entry.path("Time").asLong()),
                  entry.path("Detail").asText()));
      ObjectNode told = reply.withArray("Entries").addObject();
      if (answer instanceof Answer.Status) {
        told.put("EventId", "event");
      } else {
        failed++;
        told.put("ErrorCode", "InternalFailure").put("ErrorMessage", "the file was not written");
      }
    }
    return EcsCalls.Reply.ok(reply.put("FailedEntryCount", failed));
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
