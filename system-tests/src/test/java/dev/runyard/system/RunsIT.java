package dev.runyard.system;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// What a client does with runs: submit, read, follow, resume, cancel, repeat.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RunsIT {
  private static final String SIGN_OF_LIFE = "run.status";
  private static final long WAITED_NANOS_MIN = TimeUnit.SECONDS.toNanos(10);

  private SystemStack stack;
  private Api api;

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    stack = up(StackFolder.in(folder), "--agent-jars", TestAgents.in(folder));
    api = stack.api();
  }

  SystemStack up(StackFolder folder, String... options) throws IOException, InterruptedException {
    return SystemStack.start(folder, options);
  }

  @AfterAll
  void stop() {
    stack.close();
  }

  @Test
  void runsAnAgentToItsEnd() throws Exception {
    String id = api.run("{\"agent\":\"codex\",\"prompt\":\"work\",\"tags\":{\"k\":\"v\"}}");
    JsonNode run = api.ended(id);
    assertEquals("completed", run.path("status").asText(), run::toString);
    assertEquals("done", run.path("final_text").asText());
    assertEquals(3, run.path("usage").path("input_tokens").asInt());
    assertEquals(0, run.path("exit").path("code").asInt());
    assertTrue(run.path("error").isNull());
    List<String> types = Api.types(api.all(id, 1_000));
    assertEquals(
        List.of("task.created", "turn.submitted", "task.queued", "task.attempt.started"),
        types.subList(0, 4));
    assertEquals(
        List.of("process.completed", "task.attempt.completed", "turn.completed", "task.completed"),
        types.subList(types.size() - 4, types.size()));
    Api.Answer same =
        api.send(
            api.request("/v1/runs/" + id)
                .header("If-None-Match", "\"" + run.path("last_sequence").asText() + "\""));
    assertEquals(304, same.status());
  }

  /// A run that names no session begins one that has the run's id.
  @Test
  void aJavaAgentIsToldWhatWasSaidInItsSession() throws Exception {
    String first = api.run("{\"agent\":\"history_echo\",\"prompt\":\"one\"}");
    JsonNode begun = api.ended(first);
    assertEquals("completed", begun.path("status").asText(), begun::toString);
    assertEquals(first, begun.path("session_id").asText());
    api.listed(first, "status=completed&session_id=" + first);

    String second =
        api.run(
            "{\"agent\":\"history_echo\",\"prompt\":\"two\",\"session_id\":\"%s\"}"
                .formatted(first));
    JsonNode continued = api.ended(second);
    assertEquals("completed", continued.path("status").asText(), continued::toString);
    List<String> said = new ArrayList<>();
    for (JsonNode message : api.get("/runs/" + second).json().path("output")) {
      said.add(message.at("/parts/0/content").asText());
    }
    assertEquals(List.of("one", "one", "two"), said);
  }

  @Test
  void keepsLargeOutputsAndReportsFilesAndPlans() throws Exception {
    String id = api.run("{\"agent\":\"codex\",\"prompt\":\"large\"}");
    assertEquals("completed", api.ended(id).path("status").asText());
    List<JsonNode> events = api.all(id, 1_000);
    String whole =
        IntStream.rangeClosed(1, 40_000).mapToObj(Integer::toString).collect(joining(" "));
    JsonNode result = Api.first(events, "tool.result");
    assertEquals(whole.length(), result.path("payload").path("outputBytes").asInt());
    assertTrue(result.path("payload").path("preview").asText().length() <= 4_096);
    String ref = result.path("outputRef").asText();
    assertEquals(
        ref, Api.first(events, "output.spilled").path("payload").path("outputRef").asText());

    Api.Answer answer = api.raw("/v1/runs/" + id + "/outputs/" + ref);
    assertEquals(200, answer.status());
    assertEquals("text/plain; charset=utf-8", answer.type());
    assertEquals(
        "nosniff", answer.http().headers().firstValue("X-Content-Type-Options").orElse(""));
    assertEquals(whole, new String(answer.http().body(), StandardCharsets.UTF_8));

    String other = api.run(Api.echo(1, 0, ""));
    for (String path :
        List.of(
            id + "/outputs/out9-none",
            other + "/outputs/" + ref,
            id + "/outputs/..%2F..%2Fsessions",
            "nothing/outputs/" + ref)) {
      Api.Answer none = api.get("/v1/runs/" + path);
      assertEquals(404, none.status(), path);
      assertEquals("application/problem+json", none.type());
    }
    JsonNode file = Api.first(events, "artifact.changed").path("payload");
    assertEquals("src/a.txt", file.path("path").asText());
    assertEquals("created", file.path("change").asText());
    JsonNode plan = Api.first(events, "task.progress").path("payload").path("entries");
    assertEquals("completed", plan.path(0).path("status").asText());
    assertEquals("write", plan.path(1).path("text").asText());
  }

  @Test
  void everyReconnectContinuesWhereTheLastOneEnded() throws Exception {
    String id = api.run(Api.echo(80, 20, ""));
    List<JsonNode> seen = new ArrayList<>();
    int connections = 0;
    while (seen.isEmpty() || !Api.isTerminal(seen.getLast())) {
      try (Api.Live live = api.stream(id, seen.size(), connections % 2 == 0)) {
        seen.addAll(live.next(3));
      }
      connections++;
    }
    assertTrue(connections > 25, () -> seen.size() + " events");
    assertEquals(80, Api.types(seen).stream().filter("model.delta"::equals).count());
    assertEquals(api.all(id, 1_000), seen);
    try (Api.Live whole = api.stream(id, 0, false)) {
      assertEquals(seen, whole.next(Integer.MAX_VALUE));
    }
    Api.Answer behind =
        api.send(
            api.request("/v1/runs/" + id + "/events")
                .header("Accept", "text/event-stream")
                .header("Last-Event-ID", Integer.toString(seen.size())));
    assertEquals(204, behind.status());
  }

  @Test
  void pagesHoldEveryEventOnceInOrder() throws Exception {
    String id = api.run(Api.echo(40, 5, ""));
    assertEquals(api.all(id, 7), api.all(id, 1_000));
  }

  @Test
  void aPageWaitsForWhatHappensNext() throws Exception {
    String id = api.run(Api.hold());
    long after = api.until(id, "model.completed").size();
    JsonNode now = api.get("/v1/runs/" + id + "/events?after=" + after).json().path("events");
    now.forEach(event -> assertEquals(SIGN_OF_LIFE, event.path("type").asText()));
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<JsonNode> next = clients.submit(() -> next(id, after));
      assertEquals(202, api.cancel(id).status());
      assertEquals("task.cancel_requested", next.get().path("type").asText());
    }
  }

  /// The next event that is no sign of life. A page without events was waited for.
  private JsonNode next(String id, long after) throws IOException, InterruptedException {
    for (long last = after; ; ) {
      long begin = System.nanoTime();
      JsonNode event = api.page(id, last, 1).path("events").path(0);
      if (event.isMissingNode()) {
        assertTrue(System.nanoTime() - begin > WAITED_NANOS_MIN, "an empty page at once");
      } else if (event.path("type").asText().equals(SIGN_OF_LIFE)) {
        last++;
      } else {
        return event;
      }
    }
  }

  @Test
  void listsRunsByPageAndFilter() throws Exception {
    String session = "\"session_id\":\"list-1\"";
    Set<String> ids = new HashSet<>();
    for (int i = 0; i < 5; i++) {
      ids.add(api.run(Api.echo(1, 0, "," + session)));
    }
    for (String id : ids) {
      api.ended(id);
    }
    String list = "/v1/runs?session_id=list-1&status=completed&limit=2";
    Set<String> listed = new HashSet<>();
    while (listed.size() < ids.size()) {
      listed.clear();
      String cursor = "";
      do {
        JsonNode page = api.get(list + cursor).json();
        page.path("runs").forEach(run -> listed.add(run.path("run_id").asText()));
        JsonNode next = page.path("next_cursor");
        cursor = next.isNull() ? "" : "&cursor=" + next.asText();
      } while (!cursor.isEmpty());
    }
    assertEquals(ids, listed);
    assertEquals(0, api.get("/v1/runs?session_id=list-1&status=failed").json().path("runs").size());
  }

  @Test
  void cancelEndsARunningAgentAndAllItStarted() throws Exception {
    String id = api.run(Api.hold());
    List<JsonNode> before = api.until(id, "model.completed");
    while (SystemStack.agents(id).size() < 3) { // the agent and its two children
      Thread.onSpinWait();
    }

    assertEquals(202, api.cancel(id).status());

    JsonNode run = api.ended(id);
    assertEquals("cancelled", run.path("status").asText(), run::toString);
    assertEquals("cancelled", run.path("error").path("code").asText());
    assertEquals(List.of(), SystemStack.agents(id));
    assertEquals(before, api.all(id, 1_000).subList(0, before.size()));
    Api.Answer again = api.cancel(id);
    assertEquals(409, again.status());
    assertEquals("run_closed", again.code());
    assertEquals("application/problem+json", again.type());
  }

  @Test
  void cancelEndsARunThatWaitsForItsRetry() throws Exception {
    String id =
        api.run(
            """
            {"agent":"echo","prompt":"hi","extensions":{"backend.echo.fail":true},
             "retry":{"max_attempts":2,"backoff_seconds":900}}
            """);
    api.until(id, "task.retrying");
    assertEquals(202, api.cancel(id).status());
    JsonNode run = api.ended(id);
    assertEquals("cancelled", run.path("status").asText());
    assertEquals(1, run.path("attempt").asInt());
  }

  @Test
  void sameKeyAndBodyIsTheSameRun() throws Exception {
    String body = Api.echo(1, 0, ",\"session_id\":\"key-1\"");
    Api.Answer first = api.submit("key-1", body);
    assertEquals(202, first.status());
    String id = first.json().path("run_id").asText();
    api.ended(id);

    Api.Answer again = api.submit("key-1", body.replace(",", " , "));
    assertEquals(202, again.status());
    assertEquals(first.json(), again.json());
    Api.Answer other = api.submit("key-1", Api.echo(2, 0, ",\"session_id\":\"key-1\""));
    assertEquals(422, other.status());
    assertEquals("idempotency_mismatch", other.code());
    assertEquals("application/problem+json", other.type());
    assertEquals(Set.of(id), api.listed(id, "session_id=key-1"));
  }

  @Test
  void concurrentDuplicatesMakeOneRun() throws Exception {
    String body = Api.echo(1, 0, ",\"session_id\":\"key-2\"");
    Set<String> ids = new HashSet<>();
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<Api.Answer>> submits = new ArrayList<>();
      for (int i = 0; i < 16; i++) {
        submits.add(() -> api.submit("key-2", body));
      }
      for (Future<Api.Answer> answer : clients.invokeAll(submits)) {
        assertEquals(202, answer.get().status(), answer.get().json()::toString);
        ids.add(answer.get().json().path("run_id").asText());
      }
    }
    assertEquals(1, ids.size());
    String id = ids.iterator().next();
    assertEquals("completed", api.ended(id).path("status").asText());
    assertEquals(ids, api.listed(id, "session_id=key-2"));
  }

  @Test
  void retriesAsThePolicySays() throws Exception {
    String fails =
        "{\"agent\":\"echo\",\"prompt\":\"x\",\"extensions\":{\"backend.echo.fail\":true}";
    String named = api.run(fails + ",\"retry\":{\"max_attempts\":3,\"on\":[\"echo_failed\"]}}");
    String other = api.run(fails + ",\"retry\":{\"max_attempts\":3,\"on\":[\"runner_lost\"]}}");
    stack.mayFail(named, "echo_failed");
    stack.mayFail(other, "echo_failed");
    JsonNode retried = api.ended(named);
    assertEquals("failed", retried.path("status").asText());
    assertEquals("echo_failed", retried.path("error").path("code").asText());
    assertEquals(3, retried.path("attempt").asInt());
    JsonNode once = api.ended(other);
    assertEquals("failed", once.path("status").asText());
    assertEquals(1, once.path("attempt").asInt());
  }

  @Test
  void endsARunAtItsTimeout() throws Exception {
    String id = api.run("{\"agent\":\"codex\",\"prompt\":\"hold\",\"timeout_seconds\":2}");
    stack.mayFail(id, "timed_out");
    JsonNode run = api.ended(id);
    assertEquals("failed", run.path("status").asText());
    assertEquals("timed_out", run.path("phase").asText());
    assertEquals("timed_out", run.path("error").path("code").asText());
    assertEquals(List.of(), SystemStack.agents(id));
  }
}
