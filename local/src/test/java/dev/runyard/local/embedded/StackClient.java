package dev.runyard.local.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.runyard.local.LocalOptions;
import dev.runyard.local.StackRequests;
import dev.runyard.needs.Program;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// What a client does with a stack.
final class StackClient implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String AGENT =
      """
      #!/bin/sh
      cat >/dev/null
      echo '{"type":"thread.started","thread_id":"00000000-0000-7000-8000-000000000001"}'
      echo '{"type":"turn.started"}'
      sleep 1000 &
      setsid sleep 1000 &
      echo '{"type":"item.completed","item":{"id":"i0","type":"agent_message","text":"here"}}'
      wait
      """;

  private final HttpClient http = HttpClient.newHttpClient();
  private final Path folder;

  /// @param folder that of [#options]
  StackClient(Path folder) {
    this.folder = folder;
  }

  /// A stack with data in a folder, whose `codex` is a script that works until it is ended.
  static LocalOptions options(Path folder) throws IOException {
    Path agent = Program.write(folder.resolve("agent"), AGENT);
    Path agents =
        Files.writeString(
            folder.resolve("agents.json"),
            "{\"agents\":{\"codex\":{\"program\":\"%s\"}}}".formatted(agent));
    return LocalOptions.of(
            Path.of("..", "template.yaml"), Files.createDirectories(folder.resolve("work")))
        .withData(folder.resolve("data"))
        .withAgents(agents);
  }

  String submit(URI stack, String request) throws IOException, InterruptedException {
    HttpResponse<String> answer =
        http.send(
            request(stack, "/v1/runs")
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", UUID.randomUUID().toString())
                .POST(BodyPublishers.ofString(request))
                .build(),
            BodyHandlers.ofString());
    assertEquals(202, answer.statusCode(), answer::body);
    return JSON.readTree(answer.body()).path("run_id").asText();
  }

  void cancel(URI stack, String run) throws IOException, InterruptedException {
    HttpResponse<String> answer =
        http.send(
            request(stack, "/v1/runs/" + run + "/cancel").POST(BodyPublishers.noBody()).build(),
            BodyHandlers.ofString());
    assertEquals(202, answer.statusCode(), answer::body);
  }

  JsonNode run(URI stack, String run) throws IOException, InterruptedException {
    return get(stack, "/v1/runs/" + run);
  }

  List<JsonNode> events(URI stack, String run) throws IOException, InterruptedException {
    List<JsonNode> events = new ArrayList<>();
    get(stack, "/v1/runs/" + run + "/events?limit=1000").path("events").forEach(events::add);
    return events;
  }

  /// The newest run with a status, as soon as the list has one.
  JsonNode listed(URI stack, String status) throws IOException, InterruptedException {
    while (true) {
      JsonNode runs = get(stack, "/v1/runs?status=" + status).path("runs");
      if (!runs.isEmpty()) {
        return runs.path(0);
      }
    }
  }

  /// All events of a run, as they come, to its end.
  List<JsonNode> streamed(URI stack, String run) throws IOException, InterruptedException {
    return until(stack, run, "");
  }

  /// The events of a run up to the first of a type.
  List<JsonNode> until(URI stack, String run, String type)
      throws IOException, InterruptedException {
    List<JsonNode> events = new ArrayList<>();
    HttpResponse<InputStream> answer =
        http.send(
            request(stack, "/v1/runs/" + run + "/events")
                .header("Accept", "text/event-stream")
                .build(),
            BodyHandlers.ofInputStream());
    assertEquals(200, answer.statusCode());
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("data: ")) {
          JsonNode event = JSON.readTree(line.substring("data: ".length()));
          if (!event.path("eventId").asText().endsWith("." + event.path("sequence").asText())) {
            continue;
          }
          events.add(event);
          if (event.path("type").asText().equals(type)) {
            return events;
          }
        }
      }
    }
    return events;
  }

  /// The status with which a stack answers somebody who shows this.
  static int status(URI stack, String authorization) throws IOException, InterruptedException {
    return status(stack, authorization, "/v1/agents");
  }

  /// The same for another path.
  static int status(URI stack, String authorization, String path)
      throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client
          .send(
              HttpRequest.newBuilder(stack.resolve(path))
                  .header("Authorization", authorization)
                  .build(),
              BodyHandlers.discarding())
          .statusCode();
    }
  }

  /// A member of a JSON object.
  static String member(String json, String name) throws IOException {
    return JSON.readTree(json).path(name).textValue();
  }

  /// The body of the answer to what is posted in the name of the operator.
  String posted(URI stack, String path, String body, int status)
      throws IOException, InterruptedException {
    HttpResponse<String> answer =
        http.send(
            request(stack, path)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build(),
            BodyHandlers.ofString());
    assertEquals(status, answer.statusCode(), answer::body);
    return answer.body();
  }

  private HttpRequest.Builder request(URI stack, String path) throws IOException {
    return StackRequests.in(folder.resolve("work"), stack, path);
  }

  /// The body of an answer.
  String text(URI stack, String path) throws IOException, InterruptedException {
    HttpResponse<String> answer = http.send(request(stack, path).build(), BodyHandlers.ofString());
    assertEquals(200, answer.statusCode(), answer::body);
    return answer.body();
  }

  private JsonNode get(URI stack, String path) throws IOException, InterruptedException {
    HttpResponse<String> answer =
        http.send(
            request(stack, path).header("Accept", "application/json").build(),
            BodyHandlers.ofString());
    assertEquals(200, answer.statusCode(), answer::body);
    return JSON.readTree(answer.body());
  }

  @Override
  public void close() {
    http.close();
  }
}
