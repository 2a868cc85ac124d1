package dev.runyard.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.runyard.cli.client.RunServer;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Deciding actions, by command and at the prompt.
final class ActionCommandsTest {
  private static final String ACTIONS =
      """
      {"actions":[
        {"action_id":"r1.1","status":"decided","decision":"deny","prompt":"Run rm?","choices":[]},
        {"action_id":"r1.2","status":"pending","prompt":"Run ls?","choices":["once","always"]}]}
      """;
  private final RunServer server = new RunServer();
  private final Cli cli = new Cli().with("RUNYARD_URL", server.uri().toString());

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void decidesWhatARunAsks() throws JsonProcessingException {
    server.on("GET /v1/runs/r1/actions", 200, ACTIONS);
    server.on("POST /v1/actions/r1.2", 200, "{\"decision\":\"approve\"}");
    server.on("POST /v1/actions/r1.9", 200, "{\"decision\":\"answer\"}");

    assertEquals("approve r1.2\n", cli.run("approve", "r1").out());
    assertEquals(json("{\"decision\":\"approve\"}"), json(last()));
    assertEquals(0, cli.run("approve", "r1.2", "--choice", "always").exit());
    assertEquals(json("{\"decision\":\"approve\",\"payload\":\"always\"}"), json(last()));
    assertEquals(0, cli.run("deny", "r1", "--reason", "too much").exit());
    assertEquals(json("{\"decision\":\"deny\",\"payload\":\"too much\"}"), json(last()));
    assertEquals("answer r1.9\n", cli.run("answer", "r1.9", "blue").out());
    assertEquals(json("{\"decision\":\"answer\",\"payload\":\"blue\"}"), json(last()));
  }

  @Test
  void decidesNothingWhereItIsNotClearWhat() {
    server.on("GET /v1/runs/r1/actions", 200, "{\"actions\":[]}");
    Cli.Outcome outcome = cli.run("approve", "r1");

    assertEquals(1, outcome.exit());
    assertEquals("runyard: run r1 is not waiting for a decision\n", outcome.err());
    assertEquals(1, server.requests().size());
  }

  @Test
  void saysThatNeitherAnActionNorARunHasTheId() {
    server.on("GET /v1/runs/nope/actions", 404, "{\"code\":\"run_not_found\"}");
    Cli.Outcome outcome = cli.run("approve", "nope");

    assertEquals(1, outcome.exit());
    assertEquals(
        "runyard: not_found: There is no action or run nope."
            + " './runyard actions RUN' lists the actions of a run.\n",
        outcome.err());
  }

  @Test
  void showsWhatARunAsked() {
    server.on("GET /v1/runs/r1/actions", 200, ACTIONS);

    assertEquals(
        """
        r1.1  deny  Run rm?
        r1.2  pending  Run ls?
            choices: once | always
        """,
        cli.run("actions", "r1").out());
  }

  @Test
  void sendsAMessageWithAKey() throws JsonProcessingException {
    server.on("POST /v1/runs/r1/messages", 202, "{\"message_id\":\"m1\",\"sequence\":9}");

    assertEquals("sent m1\n", cli.run("message", "r1", "faster").out());
    assertEquals(json("{\"content\":\"faster\"}"), json(last()));
    assertNotNull(server.requests().getLast().idempotencyKey());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "permission;[];maybe,y;{'decision':'approve'};allow it? [y/n]:",
        "permission;[];n;{'decision':'deny'};allow it? [y/n]:",
        "permission;['once','always'];2;{'decision':'approve','payload':'always'};"
            + "choose [1 once, 2 always, n no]:",
        "question;['a','b'];c,3,b;{'decision':'answer','payload':'b'};choose [1 a, 2 b]:",
        "question;[];,blue;{'decision':'answer','payload':'blue'};your answer:"
      })
  void asksThePersonWhoWatches(
      String type, String choices, String typed, String decision, String hint) throws Exception {
    CountDownLatch decided = new CountDownLatch(1);
    server.on("GET /v1/runs/r1", 200, run("completed"));
    server.on(
        "POST /v1/actions/r1.1",
        (exchange, _) -> {
          RunServer.respond(exchange, 200, "{}");
          decided.countDown();
        });
    String asked =
        "{'actionId':'r1.1','actionType':'%s','prompt':'Now?','choices':%s}"
            .formatted(type, choices)
            .replace('\'', '"');
    server.on(
        "GET /v1/runs/r1/events",
        (exchange, _) -> {
          OutputStream out = RunServer.stream(exchange);
          RunServer.event(out, 1, "action.required", asked);
          await(decided);
          RunServer.event(out, 2, "task.completed", "{}");
        });

    Cli.Outcome outcome = cli.typing(typed.replace(",", "\n") + "\n").run("watch", "r1");

    assertEquals(0, outcome.exit(), outcome.err());
    assertTrue(outcome.out().contains("Now?"), outcome.out());
    assertTrue(outcome.err().contains(hint), outcome.err());
    String sent =
        server.requests().stream()
            .filter(request -> request.line().startsWith("POST"))
            .map(RunServer.Request::body)
            .findFirst()
            .orElseThrow();
    assertEquals(json(decision.replace('\'', '"')), json(sent));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "y;;{'agent_api.exec.non_interactive':false}",
        "y;--no-ask;",
        "y;--output=json;",
        "y;--ext=agent_api.exec.non_interactive=true;{'agent_api.exec.non_interactive':true}",
        "y;--ext=agent_api.exec.external_sandbox.v1=true;"
            + "{'agent_api.exec.external_sandbox.v1':true}",
        ";;"
      })
  void letsAnAgentAskThePersonWhoWatches(
      @Nullable String typed, @Nullable String option, @Nullable String extensions)
      throws Exception {
    server.on(
        "GET /v1/agents/codex",
        200,
        "{\"extensions\":{\"properties\":{\"agent_api.exec.non_interactive\":{}}}}");
    JsonNode sent = submitted("codex", typed, option);

    assertEquals(
        extensions == null ? json("{}") : json(extensions.replace('\'', '"')),
        sent.has("extensions") ? sent.path("extensions") : json("{}"));
  }

  @Test
  void asksNobodyForAnAgentThatCannotAsk() throws Exception {
    server.on("GET /v1/agents/echo", 200, "{\"extensions\":{\"properties\":{}}}");

    assertFalse(submitted("echo", "y", null).has("extensions"));
  }

  private JsonNode submitted(String agent, @Nullable String typed, @Nullable String option)
      throws JsonProcessingException {
    server.on("POST /v1/runs", 202, "{\"run_id\":\"r1\"}");
    server.on("GET /v1/runs/r1", 200, run("completed"));
    server.on(
        "GET /v1/runs/r1/events",
        (exchange, _) -> RunServer.event(RunServer.stream(exchange), 1, "task.completed", "{}"));
    List<String> words = new ArrayList<>(List.of("run", agent, "hello", "--watch"));
    if (option != null) {
      words.add(option);
    }
    Cli asked = typed == null ? cli : cli.typing(typed + "\n");
    assertEquals(0, asked.run(words.toArray(String[]::new)).exit());
    return json(
        server.requests().stream()
            .filter(request -> request.line().startsWith("POST"))
            .map(RunServer.Request::body)
            .findFirst()
            .orElseThrow());
  }

  private static void await(CountDownLatch latch) {
    try {
      assertTrue(latch.await(5, TimeUnit.MINUTES));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private String last() {
    return server.requests().getLast().body();
  }

  private static String run(String status) {
    return """
    {"run_id":"r1","agent":"codex","status":"%s","phase":"%s","session_id":"s1","attempt":1,
     "final_text":"done","usage":{"input_tokens":12,"cached_input_tokens":2,"output_tokens":3},
     "error":%s,"created_at":"2026-01-01T00:00:00Z","finished_at":"2026-01-01T00:00:01.500Z",
     "last_sequence":4,"closed":true,"later_field":{"x":1}}\
    """
        .formatted(
            status,
            status,
            status.equals("failed")
                ? "{\"code\":\"exit_nonzero\",\"category\":\"BACKEND\",\"message\":\"exited 3\"}"
                : "null");
  }

  private static JsonNode json(String text) throws JsonProcessingException {
    return JsonMapper.builder().build().readTree(text);
  }
}
