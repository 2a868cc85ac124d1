package dev.runyard.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.testkit.ports.ReservedPort;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Webhooks of a whole stack, whose deliveries the public verifier for JavaScript and the algorithm
/// in Python accept. Needs Node.js with npm and its registry.
@Order(7)
final class WebhooksIT {
  private static final Path HOME =
      Path.of(Objects.requireNonNull(System.getProperty("runyard.home")));
  private static final Path SCRIPTS = HOME.resolve("system-tests/src/test/resources/webhooks");
  private static final String LOOPBACK = "--webhooks-to-loopback";
  private static final String SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";

  @TempDir private Path folder;

  @Test
  void deliversWhatTheVerifiersAccept() throws Exception {
    try (SystemStack stack = SystemStack.start(StackFolder.in(folder), LOOPBACK);
        WebhookReceiver receiver = new WebhookReceiver()) {
      tour(stack, receiver);
    }
  }

  @Test
  void deliversTheSameOnEmulators() throws Exception {
    try (SystemStack stack = SystemStack.emulated(StackFolder.in(folder), LOOPBACK);
        WebhookReceiver receiver = new WebhookReceiver()) {
      tour(stack, receiver);
    }
  }

  private void tour(SystemStack stack, WebhookReceiver receiver) throws Exception {
    Api api = stack.api();
    JsonNode webhook = webhook(api, receiver);
    String secret = webhook.path("secret").asText();
    String id = webhook.path("webhook_id").asText();
    String completed = api.run(Api.echo(1, 0, ""));
    WebhookReceiver.Got first = receiver.next();
    JsonNode body = Api.JSON.readTree(first.body());
    assertEquals("run.completed", body.path("type").asText());
    assertEquals(completed, body.at("/data/run_id").asText());
    assertEquals(200, api.get(body.at("/data/path").asText()).status());

    String failed =
        api.run(
            Api.echo(1, 0, ",\"webhook\":" + own(receiver))
                .replace(
                    "\"backend.echo.events\"",
                    "\"backend.echo.fail\":true,\"backend.echo.events\""));
    stack.mayFail(failed, "echo_failed");
    List<WebhookReceiver.Got> both = List.of(receiver.next(), receiver.next());
    both.forEach(got -> assertTrue(got.body().contains(failed), got::body));

    List<String> lines = new ArrayList<>();
    lines.add(line(secret, first));
    for (WebhookReceiver.Got got : both) {
      String used = verified(secret, got) ? secret : SECRET;
      lines.add(line(used, got));
    }
    List<String> expected = List.of("true false", "true false", "true false");
    assertEquals(expected, ran(python(), lines), "Python");
    assertEquals(expected, ran(node(), lines), "JavaScript");

    JsonNode log = awaited(api, id, "delivered", 2);
    assertTrue(
        log.at("/deliveries/0/tries")
            .valueStream()
            .anyMatch(each -> each.path("status").asInt() == 200),
        log::toString);
    api.post("/v1/webhooks/" + id + "/deliveries/" + first.id() + "/redeliver", "{}");
    assertEquals(first.body(), receiver.again(first.id()).body());
    assertEquals(0, receiver.waiting());
    assertTrue(stack.command(folder, "webhooks", "list").contains(id));
    assertTrue(stack.command(folder, "webhooks", "deliveries", id).contains(first.id()));
  }

  /// `kill -9` between the end of runs and their delivery, which a receiver that is down makes
  /// long.
  @Test
  void deliversWhatAKilledStackHadNotDelivered() throws Exception {
    StackFolder files = StackFolder.in(folder);
    Set<String> runs = new HashSet<>();
    try (ReservedPort port = new ReservedPort()) {
      killedBeforeItDelivers(files, port.number(), runs);
      assertDelivered(files, port.number(), runs);
    }
  }

  private static void killedBeforeItDelivers(StackFolder files, int port, Set<String> runs)
      throws Exception {
    try (SystemStack stack = SystemStack.start(files, LOOPBACK)) {
      Api api = stack.api();
      Api.Answer made =
          api.post(
              "/v1/webhooks",
              "{\"url\":\"http://127.0.0.1:%d/hook\",\"events\":[\"run.completed\"]}"
                  .formatted(port));
      assertEquals(201, made.status(), made.json()::toString);
      for (int i = 0; i < 3; i++) {
        runs.add(api.run(Api.echo(1, 0, "")));
      }
      for (String run : runs) {
        api.ended(run);
      }
      stack.kill();
    }
  }

  private static void assertDelivered(StackFolder files, int port, Set<String> runs)
      throws Exception {
    try (WebhookReceiver receiver = new WebhookReceiver(port);
        SystemStack stack = SystemStack.start(files, LOOPBACK)) {
      Set<String> told = new HashSet<>();
      Set<String> ids = new HashSet<>();
      while (!told.containsAll(runs)) {
        WebhookReceiver.Got got = receiver.next();
        told.add(Api.JSON.readTree(got.body()).at("/data/run_id").asText());
        ids.add(got.id());
      }
      assertEquals(runs, told);
      assertEquals(runs.size(), ids.size());
      assertTrue(stack.api().get("/v1/webhooks").status() == 200);
    }
  }

  @Test
  void forwardsToAServerOnThisMachineWithoutAnAddress() throws Exception {
    StackFolder files = StackFolder.in(folder);
    try (SystemStack stack = SystemStack.start(files);
        WebhookReceiver receiver = new WebhookReceiver()) {
      Process listener = stack.background(folder, "webhooks", "listen", "--to", receiver.url());
      try (BufferedReader output = listener.inputReader()) {
        String secret = output.readLine();
        String run = stack.api().run(Api.echo(1, 0, ""));
        WebhookReceiver.Got got = receiver.next();
        assertTrue(got.body().contains(run), got::body);
        assertTrue(verified(secret, got));
      } finally {
        listener.destroy();
        listener.onExit().join();
      }
      assertEquals(0, stack.api().get("/v1/webhooks").json().path("webhooks").size());
    }
  }

  @Test
  void takesNoLoopbackUnlessTheStackWasStartedSo() throws Exception {
    try (SystemStack stack = SystemStack.start(StackFolder.in(folder));
        WebhookReceiver receiver = new WebhookReceiver()) {
      Api.Answer refused =
          stack
              .api()
              .post(
                  "/v1/webhooks",
                  "{\"url\":\"%s\",\"events\":[\"run.completed\"]}".formatted(receiver.url()));
      assertEquals(400, refused.status());
      assertEquals("invalid_request", refused.code());
    }
  }

  private static JsonNode webhook(Api api, WebhookReceiver receiver) throws Exception {
    Api.Answer made =
        api.post(
            "/v1/webhooks",
            "{\"url\":\"%s\",\"events\":[\"run.completed\",\"run.failed\"]}"
                .formatted(receiver.url()));
    assertEquals(201, made.status(), made.json()::toString);
    return made.json();
  }

  private static String own(WebhookReceiver receiver) {
    return "{\"url\":\"%s\",\"secret\":\"%s\"}".formatted(receiver.url(), SECRET);
  }

  /// The log of a webhook, once so many of its deliveries are in a state.
  private static JsonNode awaited(Api api, String webhook, String state, int count)
      throws Exception {
    while (true) {
      JsonNode log = api.get("/v1/webhooks/" + webhook + "/deliveries").json();
      long found =
          log.path("deliveries")
              .valueStream()
              .filter(delivery -> delivery.path("state").asText().equals(state))
              .count();
      if (found >= count) {
        return log;
      }
      Thread.onSpinWait();
    }
  }

  private boolean verified(String secret, WebhookReceiver.Got got) throws Exception {
    return ran(python(), List.of(line(secret, got))).equals(List.of("true false"));
  }

  private static String line(String secret, WebhookReceiver.Got got) {
    ObjectNode line = Api.JSON.createObjectNode().put("secret", secret).put("body", got.body());
    ObjectNode headers = line.putObject("headers");
    for (Map.Entry<String, String> header : got.headers().entrySet()) {
      if (header.getKey().startsWith("webhook-")) {
        headers.put(header.getKey(), header.getValue());
      }
    }
    return line.toString();
  }

  private static ProcessBuilder python() {
    return new ProcessBuilder("python3", SCRIPTS.resolve("verify.py").toString());
  }

  private static ProcessBuilder node() throws IOException, InterruptedException {
    Path installed = HOME.resolve("system-tests/target/webhook-verifier");
    synchronized (WebhooksIT.class) {
      Files.createDirectories(installed);
      for (String file : List.of("package.json", "package-lock.json", "verify.cjs")) {
        Files.copy(
            SCRIPTS.resolve(file), installed.resolve(file), StandardCopyOption.REPLACE_EXISTING);
      }
      if (!Files.isDirectory(installed.resolve("node_modules/standardwebhooks"))) {
        Process npm =
            new ProcessBuilder(
                    "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
                .directory(installed.toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        assertEquals(0, npm.waitFor());
      }
    }
    return new ProcessBuilder("node", installed.resolve("verify.cjs").toString());
  }

  private static List<String> ran(ProcessBuilder program, List<String> lines) throws Exception {
    Process process = program.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (Writer input = process.outputWriter()) {
      for (String line : lines) {
        input.write(line + "\n");
      }
    }
    List<String> said = process.inputReader().lines().toList();
    assertEquals(0, process.waitFor());
    return said;
  }
}
