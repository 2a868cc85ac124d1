package dev.runyard.local.emulator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.runyard.local.emulator.EcsCalls.Reply;
import dev.runyard.local.http.LoopbackServer;
import dev.runyard.local.rights.AccessCheck;
import dev.runyard.local.threads.StackThreads;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.ExecutorService;

/// The ECS API, as far as starting and watching runners needs it, on a free loopback port.
public final class EcsEndpoint implements AutoCloseable {
  private static final Logger LOG = System.getLogger(EcsEndpoint.class.getName());
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String TARGET = "AmazonEC2ContainerServiceV20141113.";
  private static final String CONTENT_TYPE = "application/x-amz-json-1.1";
  private static final int BODY_BYTES_MAX = 1 << 20;

  private final HttpServer server;
  private final ExecutorService threads = StackThreads.pool("ecs");
  private final EcsCalls calls;
  private final AccessCheck access;

  /// Starts listening.
  public EcsEndpoint(Tasks tasks, AccessCheck access) {
    calls = new EcsCalls(tasks);
    this.access = access;
    server = LoopbackServer.start(threads, this::answer);
  }

  /// Refuses every RunTask from now on as ECS does without capacity, with `reason`; refuses none if
  /// it is empty.
  public void refuseStarts(Optional<String> reason) {
    calls.refuseStarts(reason);
  }

  /// The address for the function that starts runners.
  public URI uri() {
    return LoopbackServer.address(server);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      Reply reply = reply(exchange);
      byte[] body = JSON.writeValueAsBytes(reply.body());
      exchange.getResponseHeaders().set("Content-Type", CONTENT_TYPE);
      exchange.sendResponseHeaders(reply.status(), body.length);
      exchange.getResponseBody().write(body);
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "an ECS call failed", e);
    }
  }

  /// A web page can send neither this content type nor this header without a preflight request,
  /// which is not answered.
  private Reply reply(HttpExchange exchange) throws IOException {
    String target = exchange.getRequestHeaders().getFirst("X-Amz-Target");
    String type = exchange.getRequestHeaders().getFirst("Content-Type");
    if (target == null
        || !target.startsWith(TARGET)
        || type == null
        || !type.startsWith(CONTENT_TYPE)) {
      return Reply.refused("UnknownOperationException", "not an ECS call");
    }
    byte[] bytes = exchange.getRequestBody().readNBytes(BODY_BYTES_MAX);
    JsonNode body = JSON.readTree(bytes);
    String action = target.substring(TARGET.length());
    return access
        .refusal(exchange.getRequestHeaders().getFirst("Authorization"), calls.asked(action, body))
        .map(why -> Reply.refused("AccessDeniedException", why))
        .orElseGet(() -> calls.answer(action, body));
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
