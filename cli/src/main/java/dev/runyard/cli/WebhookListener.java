package dev.runyard.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.cli.client.RunyardClient;
import dev.runyard.cli.client.ServerReply;
import dev.runyard.core.webhook.WebhookSignature;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Forwards what a feed is told of to a server on this machine, signed as a delivery. The feed is
/// read, so nobody has to reach this machine. What was forwarded is noted in a file, so that a
/// listener which goes on with a feed forwards only what the last one did not.
final class WebhookListener {
  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final Duration ANSWER_MAX = Duration.ofSeconds(15);
  private static final int PAGES_MAX = 50;

  private final Terminal terminal;
  private final RunyardClient client;
  private final URI to;
  private final Set<String> forwarded = new HashSet<>();
  private String said = "";

  WebhookListener(Terminal terminal, RunyardClient client, URI to) {
    this.terminal = terminal;
    this.client = client;
    this.to = to;
  }

  /// Makes a feed, and removes it in the end.
  int listen(ObjectNode feed) throws InterruptedException {
    feed.put("description", "runyard webhooks listen");
    ServerReply reply = client.webhooks("POST", "", Optional.of(feed));
    if (!(reply instanceof ServerReply.Done(JsonNode made))) {
      return new Answers(terminal, false).on(reply, _ -> ExitCode.DONE);
    }
    String id = made.path("webhook_id").asText();
    try {
      return goOn(id, made.path("secret").asText());
    } finally {
      boolean interrupted = Thread.interrupted();
      if (!(client.webhooks("DELETE", "/" + id, Optional.empty()) instanceof ServerReply.Done)) {
        terminal.note("runyard: " + id + " is still there; delete it, or go on with --webhook");
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /// Forwards what the feed has and will have, until interrupted or the feed is gone.
  int goOn(String id, String secret) throws InterruptedException {
    Path notes = CacheFolder.of(terminal.env()).resolve("listen").resolve(id);
    read(notes);
    terminal.note("forwarding to " + to + " from " + id + ", signed with");
    terminal.line(secret);
    try (HttpClient http =
        HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NEVER).build()) {
      while (true) {
        switch (client.webhooks("GET", "/" + id + "/deliveries?limit=100", Optional.empty())) {
          case ServerReply.Done(JsonNode page) -> {
            say("");
            forward(http, fresh(id, page), secret, notes);
          }
          case ServerReply.Refused(var problem) -> {
            return new Answers(terminal, false).refused(problem);
          }
          case ServerReply.Unreachable(String message, _) -> say("runyard: " + message);
        }
        Thread.sleep(PAUSE);
      }
    }
  }

  /// Says something new once.
  private void say(String message) {
    if (!message.equals(said) && !message.isEmpty()) {
      terminal.note(message);
    }
    said = message;
  }

  /// What was not forwarded yet, oldest first.
  private Deque<JsonNode> fresh(String id, JsonNode first) {
    Deque<JsonNode> fresh = new ArrayDeque<>();
    JsonNode page = first;
    for (int i = 0; i < PAGES_MAX; i++) {
      int before = fresh.size();
      for (JsonNode delivery : page.path("deliveries")) {
        if (!forwarded.contains(delivery.path("delivery_id").asText())) {
          fresh.addFirst(delivery);
        }
      }
      String next = page.path("next_cursor").asText("");
      if (fresh.size() == before || next.isEmpty() || page.path("next_cursor").isNull()) {
        return fresh;
      }
      ServerReply reply =
          client.webhooks(
              "GET", "/" + id + "/deliveries?limit=100&cursor=" + next, Optional.empty());
      if (!(reply instanceof ServerReply.Done(JsonNode more))) {
        return fresh;
      }
      page = more;
    }
    return fresh;
  }

  /// Forwards in order and stops at the first that fails, which is tried again.
  private void forward(HttpClient http, Deque<JsonNode> deliveries, String secret, Path notes)
      throws InterruptedException {
    for (JsonNode delivery : deliveries) {
      String id = delivery.path("delivery_id").asText();
      byte[] body = delivery.path("body").asText().getBytes(StandardCharsets.UTF_8);
      HttpRequest.Builder request =
          HttpRequest.newBuilder(to)
              .timeout(ANSWER_MAX)
              .header("Content-Type", "application/json")
              .POST(BodyPublishers.ofByteArray(body));
      WebhookSignature.headers(id, Instant.now(), body, List.of(secret)).forEach(request::header);
      try {
        int status = http.send(request.build(), BodyHandlers.discarding()).statusCode();
        terminal.line(
            status
                + " "
                + delivery.path("event").asText()
                + " "
                + delivery.path("run_id").asText("-"));
        if (status / 100 != 2) {
          return;
        }
      } catch (IOException e) {
        say("runyard: nothing answers at " + to + ": " + e);
        return;
      }
      forwarded.add(id);
      write(notes, id);
    }
  }

  private void read(Path notes) {
    try {
      if (Files.exists(notes)) {
        forwarded.addAll(Files.readAllLines(notes));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Through a stream that an interruption does not close: what was forwarded would come again.
  private static void write(Path notes, String id) {
    try {
      Files.createDirectories(notes.getParent());
      try (OutputStream out = new FileOutputStream(notes.toFile(), true)) {
        out.write((id + "\n").getBytes(StandardCharsets.UTF_8));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
