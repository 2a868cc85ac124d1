package dev.runyard.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import dev.runyard.cli.client.RunServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WebhooksCommandTest {
  private static final String ID = "wh_0123456789abcdef";
  private static final String SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
  private static final String WEBHOOK =
      """
      {"webhook_id":"%s","url":"https://a.example/","description":"mine","events":["run.failed"],
       "enabled":true,"disabled":null,"failing_since":null,"created_at":"2026-03-01T12:00:00Z",
       "secret":"%s"}
      """
          .formatted(ID, SECRET);

  @TempDir private Path cache;

  private final RunServer server = new RunServer();

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void addsAWebhookAndPrintsItsSecretAlone() {
    server.on("POST /v1/webhooks", 201, WEBHOOK);

    Cli.Outcome outcome =
        cli().run("webhooks", "create", "https://a.example/", "--events", "run.failed,run.lost");

    assertEquals(0, outcome.exit(), outcome.err());
    assertTrue(outcome.out().endsWith(SECRET + "\n"), outcome.out());
    assertEquals(
        "{\"events\":[\"run.failed\",\"run.lost\"],\"url\":\"https://a.example/\"}",
        server.requests().getFirst().body());
    assertEquals(2, cli().run("webhooks").exit());
    assertEquals(2, cli().run("webhooks", "create").exit());
  }

  @Test
  void listsAndChangesThem() {
    server.on("GET /v1/webhooks", 200, "{\"webhooks\":[" + WEBHOOK + "]}");
    server.on("PATCH /v1/webhooks/" + ID, 200, WEBHOOK);
    server.on("DELETE /v1/webhooks/" + ID, 204, "");
    server.on("POST /v1/webhooks/" + ID + "/rotate", 200, WEBHOOK);

    assertTrue(cli().run("webhooks", "list").out().startsWith(ID + "  https://a.example/"));
    assertEquals(0, cli().run("webhooks", "disable", ID).exit());
    assertEquals("{\"enabled\":false}", server.requests().getLast().body());
    assertEquals(0, cli().run("webhooks", "delete", ID).exit());
    Cli.Outcome rotated = cli().run("webhooks", "rotate", ID, "--overlap-seconds", "60");
    assertTrue(rotated.out().endsWith(SECRET + "\n"));
    assertEquals("{\"overlap_seconds\":60}", server.requests().getLast().body());
  }

  @Test
  void showsDeliveriesAndSendsThemAgain() {
    String delivery = delivery("msg_1", "run.failed");
    server.on(
        "GET /v1/webhooks/" + ID + "/deliveries",
        200,
        "{\"deliveries\":[" + delivery + "],\"next_cursor\":null}");
    server.on("POST /v1/webhooks/" + ID + "/deliveries/msg_1/redeliver", 202, delivery);
    server.on("POST /v1/webhooks/" + ID + "/ping", 202, delivery);

    assertEquals(
        "msg_1  run.failed  r1  held  \n".strip(),
        cli().run("webhooks", "deliveries", ID).out().strip());
    assertEquals(0, cli().run("webhooks", "redeliver", ID, "msg_1").exit());
    assertEquals(0, cli().run("webhooks", "ping", ID).exit());
  }

  /// The server that is forwarded to answers the first request with an error.
  @Test
  void forwardsInOrderUntilItIsInterruptedAndGoesOnWhereItStopped() throws Exception {
    List<String> log = new CopyOnWriteArrayList<>();
    log.add(delivery("msg_1", "run.failed"));
    server.on("POST /v1/webhooks", 201, WEBHOOK);
    server.on("DELETE /v1/webhooks/" + ID, 204, "");
    server.on(
        "GET /v1/webhooks/" + ID + "/deliveries",
        (exchange, _) ->
            RunServer.respond(
                exchange,
                200,
                "{\"deliveries\":[" + String.join(",", log) + "],\"next_cursor\":null}"));
    BlockingQueue<String> got = new LinkedBlockingQueue<>();
    AtomicInteger count = new AtomicInteger();
    HttpServer local =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    local.createContext(
        "/",
        exchange -> {
          got.add(String.valueOf(exchange.getRequestHeaders().getFirst("webhook-id")));
          exchange.sendResponseHeaders(count.getAndIncrement() == 0 ? 500 : 200, -1);
          exchange.close();
        });
    local.start();
    String to = "http://127.0.0.1:" + local.getAddress().getPort() + "/";
    try {
      Listener first = new Listener("--to", to);
      assertEquals(List.of("msg_1", "msg_1"), List.of(got.take(), got.take()));
      log.addFirst(delivery("msg_2", "run.completed"));
      assertEquals("msg_2", got.take());
      Cli.Outcome outcome = first.end();
      assertTrue(outcome.out().startsWith(SECRET + "\n500 run.failed r1\n"), outcome.out());
      assertTrue(
          server.requests().stream().anyMatch(request -> request.line().startsWith("DELETE ")));

      log.addFirst(delivery("msg_3", "run.completed"));
      Listener second = new Listener("--to", to, "--webhook", ID, "--secret", SECRET);
      String next = got.take();
      assertEquals("msg_3", next.equals("msg_2") ? got.take() : next, "the last may come twice");
      second.end();
    } finally {
      local.stop(0);
    }
    assertEquals(2, cli().run("webhooks", "listen", "--to", to, "--webhook", ID).exit());
    assertFalse(server.requests().isEmpty());
  }

  private final class Listener {
    private final CompletableFuture<Cli.Outcome> outcome = new CompletableFuture<>();
    private final Thread thread;

    Listener(String... options) {
      String[] arguments = new String[options.length + 2];
      arguments[0] = "webhooks";
      arguments[1] = "listen";
      System.arraycopy(options, 0, arguments, 2, options.length);
      thread = Thread.ofPlatform().start(() -> outcome.complete(cli().run(arguments)));
    }

    Cli.Outcome end() throws Exception {
      thread.interrupt();
      return outcome.get();
    }
  }

  private Cli cli() {
    return new Cli()
        .with("RUNYARD_URL", server.uri().toString())
        .with("RUNYARD_CACHE", cache.toString());
  }

  private static String delivery(String id, String event) {
    return """
    {"delivery_id":"%s","event":"%s","run_id":"r1","state":"held","created_at":"2026-03-01T12:00:00Z",
     "next_try_at":null,"tries":[],"body":"{}"}
    """
        .formatted(id, event);
  }
}
