package dev.runyard.functions.tenants;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.run.RunCommand;
import dev.runyard.functions.api.Signed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Which request an event follows from, as the answer to it says.
final class RequestsInEventsTest {
  private static final String HOOK =
      "{\"name\":\"issues\",\"sender\":\"github\",\"secret\":\"GITHUB\","
          + "\"run\":{\"agent\":\"echo\",\"prompt\":\"Fix {{/issue}}\"}}";

  private ClientFunctions functions;
  private String key = "";
  private int deliveries;

  @BeforeEach
  void open() throws Exception {
    functions = new ClientFunctions();
    key = functions.key("shop");
  }

  @AfterEach
  void close() {
    functions.close();
  }

  @Test
  void eachNamesTheRequestThatAskedForIt() throws Exception {
    Answered submitted = turn("a");
    String run = submitted.body().path("run_id").textValue();
    Answered cancelled = post("/v1/runs/{id}/cancel", run, "{}");

    assertNotEquals(submitted.requestId(), cancelled.requestId());
    assertEquals(
        List.of(submitted.requestId(), submitted.requestId(), submitted.requestId()),
        requests("/v1/runs/{id}/events", run).subList(0, 3));
    assertEquals(cancelled.requestId(), requests("/v1/runs/{id}/events", run).get(3));
  }

  @Test
  void aDecisionNamesItsOwn() throws Exception {
    Belongings belongings = Belongings.of(functions, "shop", key);
    Answered decided =
        post(
            "/v1/actions/{id}",
            id(belongings, "action"),
            Belongings.BODIES.getOrDefault("POST /v1/actions/{id}", "{}"));

    List<String> of = new ArrayList<>();
    for (JsonNode event : events("/v1/runs/{id}/events", id(belongings, "run"))) {
      if (event.path("requestId").asText().equals(decided.requestId())) {
        of.add(event.path("type").textValue());
      }
    }
    assertEquals(List.of("action.resolved"), of);
  }

  @Test
  void aChangeOfTheQueueNamesTheOneThatMadeIt() throws Exception {
    turn("a");
    turn("b");
    turn("c");
    Answered promoted =
        post(
            "/v1/runtime/commands",
            "",
            "{\"command\":\"promote_queued_turn\",\"params\":"
                + "{\"thread_id\":\"review\",\"turn_id\":\"c\"}}");

    assertEquals("done", promoted.body().path("outcome").textValue());
    List<String> told = new ArrayList<>();
    for (JsonNode event : events("/v1/threads/{id}/events", "review")) {
      if (event.path("requestId").asText().equals(promoted.requestId())) {
        told.add(event.at("/payload/change").textValue());
      }
    }
    assertEquals(List.of("promoted"), told);
  }

  @Test
  void changesOfATaskNameTheirs() throws Exception {
    String created =
        post("/v1/tasks", "", "{\"task_id\":\"t1\",\"title\":\"Mend it\"}").requestId();
    String cancelled =
        post(
                "/v1/runtime/commands",
                "",
                "{\"command\":\"cancel_task\",\"params\":{\"task_id\":\"t1\",\"reason\":\"enough\"}}")
            .requestId();

    List<String> told = requests("/v1/tasks/{id}/events", "t1");
    assertEquals(created, told.getFirst());
    assertEquals(List.of(created, cancelled), told.stream().distinct().limit(2).toList());
  }

  @Test
  void changesOfAJobNameTheirs() throws Exception {
    String created =
        post(
                "/v1/jobs",
                "",
                "{\"job_id\":\"j1\",\"request\":{\"agent\":\"echo\"},\"items\":[{\"prompt\":\"a\"}]}")
            .requestId();
    String started = post("/v1/jobs/{id}/start", "j1", "").requestId();

    List<String> told = requests("/v1/jobs/{id}/events", "j1");
    assertEquals(created, told.getFirst());
    assertEquals(List.of(created, started), told.stream().distinct().limit(2).toList());
  }

  /// Nobody has shown a key: what was made names the hook, and the request that brought it.
  @Test
  void aRunOfADeliveryNamesTheDelivery() throws Exception {
    String hook = post("/v1/hooks", "", HOOK).body().path("hook_id").textValue();

    Answered first = deliver(hook, "d-1", "{\"issue\":\"it breaks\"}");
    Answered again = deliver(hook, "d-1", "{\"issue\":\"it breaks\"}");
    Answered next = deliver(hook, "d-2", "{\"issue\":\"it hangs\"}");

    assertEquals("repeated", again.body().path("outcome").textValue());
    for (Answered one : List.of(first, next)) {
      assertEquals("started", one.body().path("outcome").textValue());
      String run = one.body().path("run_id").textValue();
      assertEquals(
          List.of(one.requestId(), one.requestId(), one.requestId()),
          requests("/v1/runs/{id}/events", run).subList(0, 3));
      JsonNode created = events("/v1/runs/{id}/events", run).path(0);
      assertEquals("hook:" + hook, created.path("actor").textValue());
    }
  }

  private Answered deliver(String hook, String delivery, String body) throws IOException {
    Map<String, String> headers =
        new HashMap<>(
            Signed.headers(delivery, Signed.signature(ClientFunctions.HOOK_SECRET, body)));
    headers.put("X-Request-Id", "request-" + ++deliveries);
    ClientFunctions.Answer answer = functions.deliver("/v1/hooks/" + hook, headers, body);
    assertEquals("request-" + deliveries, answer.headers().get("X-Request-Id"));
    return new Answered("request-" + deliveries, JsonFormat.JSON.readTree(answer.body()));
  }

  @Test
  void aCallOfASubagentSaysWhose() throws Exception {
    String run = turn("a").body().path("run_id").textValue();
    RunKey key = new RunKey("shop", run);
    RunLog runs = functions.useCases.runs();
    runs.execute(key, new RunCommand.Claim("a-1", "r-1", "t-1", functions.clock.instant()));
    runs.execute(
        key,
        new RunCommand.Report(
            "a-1",
            List.of(
                new RunEvent.ProcessStarted("p-1", "echo"),
                new RunEvent.ToolStarted("a-1/t0", "Task", "tool_use", null),
                new RunEvent.ToolStarted("a-1/t1", "Read", "tool_use", null, "a-1/t0"))));

    List<JsonNode> told = new ArrayList<>();
    events("/v1/runs/{id}/events", run).forEach(told::add);
    assertFalse(told.get(told.size() - 2).has("subagentId"));
    JsonNode call = told.getLast();
    assertEquals("a-1/t0", call.path("subagentId").textValue());
    assertEquals("a-1/t1", call.path("toolCallId").textValue());
  }

  /// What was answered, and to which request.
  private record Answered(String requestId, JsonNode body) {}

  private Answered turn(String name) throws Exception {
    return post(
        "/v1/runs",
        "",
        "{\"agent\":\"echo\",\"prompt\":\"hi\",\"thread_id\":\"review\",\"turn_id\":\"%s\"}"
            .formatted(name));
  }

  private Answered post(String route, String id, String body) throws Exception {
    ClientFunctions.Answer answer =
        functions.call(key, "POST " + route, route.replace("{id}", id), body);
    return new Answered(
        answer.headers().getOrDefault("X-Request-Id", ""), JsonFormat.JSON.readTree(answer.body()));
  }

  private List<String> requests(String route, String id) throws IOException, InterruptedException {
    List<String> requests = new ArrayList<>();
    events(route, id).forEach(event -> requests.add(event.path("requestId").asText()));
    return requests;
  }

  private JsonNode events(String route, String id) throws IOException, InterruptedException {
    String page = functions.call(key, "GET " + route, route.replace("{id}", id), "").body();
    return JsonFormat.JSON.readTree(page).path("events");
  }

  private static String id(Belongings belongings, String kind) {
    return belongings.ids().stream()
        .filter(one -> one.name().equals(kind))
        .findFirst()
        .orElseThrow()
        .owned();
  }
}
