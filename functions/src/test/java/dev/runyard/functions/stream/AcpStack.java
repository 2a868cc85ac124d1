package dev.runyard.functions.stream;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.runyard.functions.Twins;
import dev.runyard.functions.api.Client;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/// Both functions behind one address, routed as in the template, with the twins and an agent that
/// takes what is queued.
final class AcpStack implements AutoCloseable {
  private static final int STEP_MILLIS = 10;

  private final Client api;
  private final Server server;
  private final HttpServer front;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final ScheduledExecutorService agent = Executors.newSingleThreadScheduledExecutor();

  AcpStack(Twins twins) throws IOException {
    api = new Client(twins);
    server =
        StreamRig.server(
            twins,
            new RunFeeds(
                twins.log,
                twins.clock,
                (_, _, longest) -> pause(longest),
                Duration.ofMillis(2L * STEP_MILLIS),
                StreamRig.audience(twins),
                (_, _) -> {}));
    front = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    front.setExecutor(threads);
    front.createContext("/", this::route);
    front.start();
    PromptedAgent work = new PromptedAgent(twins);
    var _ = agent.scheduleWithFixedDelay(work::step, 0, STEP_MILLIS, TimeUnit.MILLISECONDS);
  }

  String url() {
    return "http://127.0.0.1:" + front.getAddress().getPort();
  }

  private static void pause(Duration duration) throws InterruptedException {
    var _ = new CountDownLatch(1).await(duration.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void route(HttpExchange exchange) throws IOException {
    String call = exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath();
    if (call.matches("POST /runs(/[^/]+)?|GET /runs/[^/]+/events")) {
      server.handle(exchange);
      return;
    }
    try (exchange) {
      Map<String, String> headers = new HashMap<>();
      exchange.getRequestHeaders().forEach((name, values) -> headers.put(name, values.getFirst()));
      APIGatewayProxyResponseEvent answer =
          api.call(
              new APIGatewayProxyRequestEvent()
                  .withHttpMethod(exchange.getRequestMethod())
                  .withPath(exchange.getRequestURI().getPath())
                  .withHeaders(headers));
      answer.getHeaders().forEach(exchange.getResponseHeaders()::set);
      byte[] body = answer.getBody().getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(answer.getStatusCode(), body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    agent.shutdownNow();
    front.stop(0);
    threads.shutdownNow();
  }
}
