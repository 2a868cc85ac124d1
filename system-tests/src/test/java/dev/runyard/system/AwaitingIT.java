package dev.runyard.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.testkit.git.GitServer;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs that await, on a stack with one runner for one run at a time.
@Order(9)
final class AwaitingIT {
  /// More than the runners that two concurrent causes could start instead of one.
  private static final int OTHERS = 6;

  @TempDir private Path folder;

  @Test
  void givesItsPlaceUpAndIsQueuedAgainOnceItIsAnswered() throws Exception {
    try (SystemStack stack = start()) {
      Api api = stack.api();
      Acp acp = new Acp(api);
      String awaiting = acp.awaiting("awaiter");
      String runner = runner(api.until(awaiting, "task.paused"));

      List<String> others = new ArrayList<>();
      for (int k = 0; k < OTHERS; k++) {
        others.add(api.run(Api.echo(10, 100, "")));
      }
      Set<String> took = new HashSet<>();
      for (String other : others) {
        assertEquals("completed", api.ended(other).path("status").asText());
        took.add(runner(api.all(other, 1_000)));
      }
      assertTrue(took.contains(runner), () -> took + " have not the place at " + runner);
      assertEquals("awaiting", acp.run(awaiting).path("status").asText());

      JsonNode done = acp.resumeSync(awaiting);
      assertEquals("completed", done.path("status").asText(), done::toString);
      List<String> types = Api.types(api.all(awaiting, 1_000));
      List<String> rest = types.subList(types.indexOf("action.resolved"), types.size());
      assertTrue(rest.indexOf("task.queued") > 0, rest::toString);
      assertTrue(
          rest.indexOf("task.queued") < rest.indexOf("task.attempt.started"), rest::toString);
    }
  }

  @Test
  void endsAsTimedOutWhenNobodyAnswers() throws Exception {
    try (SystemStack stack = start()) {
      Acp acp = new Acp(stack.api());
      String id = acp.awaiting("impatient");
      stack.mayFail(id, "await_timed_out");

      JsonNode run = stack.api().ended(id);

      assertEquals("failed", run.path("status").asText(), run::toString);
      assertEquals("await_timed_out", run.at("/error/code").asText());
      JsonNode told = acp.run(id);
      assertEquals("failed", told.path("status").asText());
      assertEquals("server_error", told.at("/error/code").asText());
      assertEquals("await_timed_out", told.at("/error/data/code").asText());
      acp.refused(403, "/runs/" + id, Acp.resume("sync"));
    }
  }

  @Test
  void continuesWithoutTheClientThatBeganIt() throws Exception {
    try (SystemStack stack = start()) {
      Api api = stack.api();
      String streamed;
      try (HttpClient leaving = HttpClient.newHttpClient()) {
        HttpResponse<InputStream> stream =
            leaving.send(
                create(api, Acp.create("slow_echo", "stream")), BodyHandlers.ofInputStream());
        streamed = stream.headers().firstValue("Run-ID").orElseThrow();
        assertTrue(stream.body().read() >= 0);
        stream.body().close();
        leaving.shutdownNow();
      }
      String waitedFor;
      try (GitServer server = new GitServer(folder.resolve("served"));
          HttpClient leaving = HttpClient.newHttpClient()) {
        server.fallsSilent();
        CompletableFuture<HttpResponse<String>> answer =
            leaving.sendAsync(create(api, asking(server)), BodyHandlers.ofString());
        waitedFor = newest(api, "shell");
        api.until(waitedFor, "model.delta");
        leaving.shutdownNow();
        assertTrue(!answer.isDone() || answer.isCompletedExceptionally());
      }

      for (String id : List.of(streamed, waitedFor)) {
        assertEquals("completed", api.ended(id).path("status").asText());
      }
      assertEquals(List.of("hello"), Acp.texts(new Acp(api).run(streamed)));
      assertEquals("begun", Acp.texts(new Acp(api).run(waitedFor)).getFirst().strip());
    }
  }

  /// The newest run of an agent, once one is listed.
  private static String newest(Api api, String agent) throws Exception {
    String newest;
    do {
      newest =
          api.get("/v1/runs?agent=" + agent).json().path("runs").path(0).path("run_id").asText();
    } while (newest.isEmpty());
    return newest;
  }

  /// A run of a shell that says that it has begun, and ends once the server closes.
  private static String asking(GitServer server) {
    return Acp.create("shell", "sync")
        .replace("hello", "echo begun; git ls-remote " + server.url("none") + " || :");
  }

  private static HttpRequest create(Api api, String body) {
    return api.request("/runs")
        .header("Content-Type", Api.TYPE)
        .POST(BodyPublishers.ofString(body))
        .build();
  }

  /// The runner of a run's first attempt.
  private static String runner(List<JsonNode> events) {
    return events.stream()
        .filter(event -> event.path("type").asText().equals("task.attempt.started"))
        .map(event -> event.at("/payload/runner").asText())
        .findFirst()
        .orElseThrow();
  }

  private SystemStack start() throws Exception {
    StackFolder files =
        StackFolder.in(
                folder, Map.of("RunnersMax", "1", "RunsPerRunner", "1", "AwaitGraceSeconds", "3"))
            .withShell();
    return SystemStack.start(files, "--agent-jars", TestAgents.in(folder));
  }
}
