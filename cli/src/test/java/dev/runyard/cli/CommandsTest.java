package dev.runyard.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.runyard.cli.client.RunServer;
import java.io.OutputStream;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CommandsTest {
  private final RunServer server = new RunServer();
  private final Cli cli = new Cli().with("RUNYARD_URL", server.uri().toString());

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void sendsEveryOptionOfARun() throws JsonProcessingException {
    server.on("POST /v1/runs", 202, run("created"));
    Cli.Outcome outcome =
        cli.run(
            "run",
            "codex",
            "Fix it",
            "--session",
            "s1",
            "--timeout",
            "90",
            "--max-turns",
            "7",
            "--max-tokens",
            "5000000000",
            "--max-cost-usd",
            "0.5",
            "--idle-timeout",
            "0",
            "--action-timeout",
            "60",
            "--working-dir",
            "sub",
            "--ext",
            "a.b={\"x\":[1]}",
            "--ext",
            "a.c=plain",
            "--env",
            "K=V=W",
            "--tag",
            "team=blue",
            "--idempotency-key",
            "k1");
    assertEquals(0, outcome.exit(), outcome.err());
    assertEquals("r1\n", outcome.out());
    assertEquals(
        json(
            """
            {"agent":"codex","prompt":"Fix it","session_id":"s1","working_dir":"sub",
             "timeout_seconds":90,"max_turns":7,"max_tokens":5000000000,"max_cost_usd":0.5,
             "idle_timeout_seconds":0,"action_timeout_seconds":60,"extensions":{"a.b":{"x":[1]},"a.c":"plain"},
             "env":{"K":"V=W"},"tags":{"team":"blue"}}
            """),
        json(server.requests().getFirst().body()));
    assertEquals("k1", server.requests().getFirst().idempotencyKey());
  }

  @Test
  void sendsTheFilesOfARun() throws JsonProcessingException {
    server.on("POST /v1/runs", 202, run("created"));
    cli.run(
        "run",
        "codex",
        "Fix it",
        "--git",
        "https://host/shop.git",
        "--ref",
        "main",
        "--credential",
        "GIT",
        "--setup",
        "npm ci",
        "--setup",
        "make",
        "--setup-timeout",
        "60",
        "--artifact",
        "dist/**",
        "--archive");
    cli.run("run", "codex", "Make it", "--artifact", "*.html");

    assertEquals(
        json(
            """
            {"agent":"codex","prompt":"Fix it","workspace":{
              "git":{"url":"https://host/shop.git","ref":"main","credential":"GIT"},
              "setup":["npm ci","make"],"setup_timeout_seconds":60,"artifacts":["dist/**"],
              "archive":true}}
            """),
        json(server.requests().getFirst().body()));
    assertEquals(
        json(
            """
            {"agent":"codex","prompt":"Make it","workspace":{"none":true,"artifacts":["*.html"]}}
            """),
        json(server.requests().getLast().body()));
    assertEquals(2, cli.run("run", "codex", "Fix it", "--ref", "main").exit());
  }

  @Test
  void readsOnlyTheCommandThatIsNamed() {
    Set<String> all = cli.whole().getSubcommands().keySet();
    assertEquals(Set.of("list"), cli.partFor("list", "--help").getSubcommands().keySet());
    assertEquals(all, cli.partFor("mistyped").getSubcommands().keySet());
  }

  @Test
  void helpAndCompletionNameEveryCommand() {
    assertEquals(cli.whole().getUsageMessage(), cli.run("--help").out());
    String completion = cli.run("completion").out();
    for (String name : cli.whole().getSubcommands().keySet()) {
      assertTrue(completion.contains("_picocli_runyard_" + name), name);
    }
  }

  @Test
  void sendsOnlyWhatWasGivenAndItsOwnKey() throws JsonProcessingException {
    server.on("POST /v1/runs", 202, run("created"));
    cli.run("run", "echo", "hi");
    cli.run("run", "echo", "hi");
    assertEquals(
        json("{\"agent\":\"echo\",\"prompt\":\"hi\"}"), json(server.requests().getFirst().body()));
    assertNotNull(server.requests().getFirst().idempotencyKey());
    assertNotEquals(
        server.requests().getFirst().idempotencyKey(),
        server.requests().getLast().idempotencyKey());
  }

  @Test
  void sendsTheSameSubmitAgainWhenItsAnswerIsLost() {
    server.on("POST /v1/runs", (exchange, _) -> {});
    assertEquals(1, cli.run("run", "echo", "hi").exit());
    List<RunServer.Request> sent = server.requests();
    assertTrue(sent.size() > 1, "sent " + sent.size());
    assertEquals(1, sent.stream().map(RunServer.Request::idempotencyKey).distinct().count());
  }

  @ParameterizedTest
  @CsvSource({"completed,0", "failed,1", "cancelled,130"})
  void exitStatusOfWatchReportsTheResult(String status, int exit) {
    server.on("POST /v1/runs", 202, run("created"));
    server.on("GET /v1/runs/r1", 200, run(status));
    server.on(
        "GET /v1/runs/r1/events",
        (exchange, _) -> {
          OutputStream out = RunServer.stream(exchange);
          RunServer.event(out, 1, "model.delta", "{\"text\":\"Hel\"}");
          RunServer.event(out, 2, "model.delta", "{\"text\":\"lo\\u001b[31m\"}");
          RunServer.event(out, 3, "tool.started", "{\"name\":\"shell\",\"input\":\"ls\"}");
          RunServer.event(out, 4, "task." + status, "{}");
        });
    Cli.Outcome outcome = cli.run("run", "codex", "go", "--watch");
    assertEquals(exit, outcome.exit(), outcome.err());
    assertEquals(
        """
        Hello
        tool shell: ls
        %s r1 in 1.5 s, 12 tokens in (2 cached), 3 out
        """
            .formatted(status),
        outcome.out().replaceAll("(?m)^error .*\n", ""));
    assertEquals(status.equals("failed"), outcome.out().contains("error exit_nonzero: exited 3"));
  }

  @Test
  void watchPrintsOneJsonDocumentPerLine() throws JsonProcessingException {
    server.on("GET /v1/runs/r1", 200, run("completed"));
    server.on(
        "GET /v1/runs/r1/events",
        (exchange, _) -> {
          OutputStream out = RunServer.stream(exchange);
          RunServer.event(out, 3, "model.delta", "{\"text\":\"a\\nb\"}");
          RunServer.event(out, 4, "task.completed", "{}");
        });
    Cli.Outcome outcome = cli.run("watch", "r1", "--after", "2", "-o", "json");
    assertEquals(0, outcome.exit(), outcome.err());
    List<String> lines = outcome.out().lines().toList();
    assertEquals(3, lines.size());
    assertEquals("a\nb", json(lines.getFirst()).at("/payload/text").asText());
    assertEquals(json(run("completed")), json(lines.getLast()));
  }

  @Test
  void eventsReadsPageAfterPage() {
    server.on(
        "GET /v1/runs/r1/events",
        (exchange, request) -> {
          long after = Long.parseLong(request.line().replaceAll(".*after=(\\d+).*", "$1"));
          String page =
              after >= 4
                  ? "{\"events\":[],\"next_after\":4,\"closed\":true}"
                  : """
                  {"events":[{"type":"run.status","sequence":%1$d,"payload":{"phase":"p%1$d"}},
                   {"type":"x.y","sequence":%2$d,"payload":{"k":1}}],"next_after":%2$d}
                  """
                      .formatted(after + 1, after + 2);
          byte[] body = page.getBytes(java.nio.charset.StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
        });
    Cli.Outcome outcome = cli.run("events", "r1");
    assertEquals(
        List.of(
            "    1 run.status            p1",
            "    2 x.y                   {\"k\":1}",
            "    3 run.status            p3",
            "    4 x.y                   {\"k\":1}"),
        outcome.out().lines().toList());
  }

  @Test
  void listsRunsWithFilters() {
    server.on("GET /v1/runs", 200, "{\"runs\":[" + run("failed") + "],\"next_cursor\":\"c2\"}");
    Cli.Outcome outcome =
        cli.run(
            "list", "--status", "failed", "--agent", "codex", "--session", "s 1", "--limit", "5");
    assertEquals(
        "GET /v1/runs?agent=codex&limit=5&session_id=s%201&status=failed",
        server.requests().getFirst().line());
    assertEquals(2, outcome.out().lines().count());
    assertTrue(outcome.out().lines().toList().getLast().startsWith("r1 "), outcome.out());
    assertTrue(outcome.err().contains("runyard list --cursor c2"), outcome.err());
  }

  @Test
  void jsonShowsFieldsThisClientDoesNotKnow() throws JsonProcessingException {
    server.on("GET /v1/runs/r1", 200, run("completed"));
    Cli.Outcome outcome = cli.run("get", "r1", "-o", "json");
    assertEquals(1, outcome.out().lines().count());
    assertEquals(json(run("completed")), json(outcome.out()));
  }

  @Test
  void cancelsWithReason() throws JsonProcessingException {
    server.on("POST /v1/runs/r1/cancel", 202, run("cancelling"));
    Cli.Outcome outcome = cli.run("cancel", "r1", "--reason", "wrong repo");
    assertEquals("cancelling r1\n", outcome.out());
    assertEquals(json("{\"reason\":\"wrong repo\"}"), json(server.requests().getFirst().body()));
  }

  @ParameterizedTest
  @CsvSource({
    "400,invalid_request,2",
    "422,idempotency_mismatch,2",
    "404,run_not_found,1",
    "409,run_closed,1",
    "503,unavailable,1"
  })
  void showsCodeDetailAndPointersOfARefusal(int status, String code, int exit) {
    server.on(
        "POST /v1/runs",
        status,
        """
        {"type":"about:blank","title":"Refused","status":%d,"code":"%s","detail":"what to do",
         "errors":[{"pointer":"/prompt","detail":"is empty"}]}
        """
            .formatted(status, code));
    Cli.Outcome outcome = cli.run("run", "codex", "x");
    assertEquals(exit, outcome.exit());
    assertEquals("", outcome.out());
    assertEquals("runyard: " + code + ": what to do\n  /prompt: is empty\n", outcome.err());
  }

  @Test
  void saysOnceThatAnAgentIsUnknownAndWhereToLook() {
    server.on(
        "POST /v1/runs",
        404,
        "{\"code\":\"unknown_backend\",\"detail\":\"unknown backend: nope.\"}");
    Cli.Outcome outcome = cli.run("run", "nope", "x");

    assertEquals(2, outcome.exit());
    assertEquals("runyard: unknown backend: nope.\nsee: ./runyard agents\n", outcome.err());
  }

  @Test
  void namesAnOptionOnceThatLacksItsValue() {
    String said = cli.run("run", "echo", "x", "--tag", "lonely").err();

    assertTrue(said.startsWith("runyard: Value for option '--tag'"), said);
  }

  @Test
  void answersThatAreNoProblemDocumentsStillGetACode() {
    server.on("GET /v1/runs/r1", 502, "<html>Bad gateway</html>");
    Cli.Outcome outcome = cli.run("get", "r1");
    assertEquals(1, outcome.exit());
    assertEquals("runyard: http_502: the server answered 502\n", outcome.err());
  }

  @Test
  void saysHowToStartAServerWhenNoneListens() {
    server.close();
    for (String[] command :
        new String[][] {
          {"list"}, {"get", "r1"}, {"run", "echo", "x"}, {"watch", "r1"}, {"agents"}
        }) {
      Cli.Outcome outcome = cli.run(command);
      assertEquals(1, outcome.exit(), command[0]);
      assertTrue(outcome.err().contains("./runyard up"), outcome.err());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "nonsense",
        "run",
        "run codex",
        "list --limit many",
        "get",
        "get r1 --url ftp://x",
        "get r1 --url :",
        "run codex x --ext a.b={",
        "list -o yaml",
        "events r1 --after x"
      })
  void wrongUsageExitsWith2AndPrintsNothingToStandardOutput(String line) {
    Cli.Outcome outcome = cli.run(line.isEmpty() ? new String[0] : line.split(" ", -1));
    assertEquals(2, outcome.exit(), outcome.err());
    assertEquals("", outcome.out());
    assertTrue(outcome.err().startsWith("runyard: "), outcome.err());
    assertEquals(List.of(), server.requests());
  }

  @Test
  void coloursOnlyOnTerminalsThatWantThem() {
    server.on("GET /v1/runs/r1", 200, run("completed"));
    assertFalse(cli.run("get", "r1").out().contains("\u001b"));
    assertTrue(cli.onTerminal().run("get", "r1").out().contains("\u001b[32mcompleted\u001b[0m"));
    assertFalse(cli.with("NO_COLOR", "1").run("get", "r1").out().contains("\u001b"));
  }

  @Test
  void optionWinsOverEnvironment() {
    server.on("GET /v1/runs/r1", 200, run("completed"));
    Cli.Outcome outcome =
        new Cli()
            .with("RUNYARD_URL", "http://127.0.0.1:1")
            .run("get", "r1", "--url", server.uri() + "/");
    assertEquals(0, outcome.exit(), outcome.err());
  }

  @Test
  void completionNamesEveryCommand() {
    String script = cli.run("completion").out();
    for (String command : List.of("up", "run", "watch", "list", "events", "doctor", "demo")) {
      assertTrue(script.contains("_picocli_runyard_" + command + "()"), command);
    }
  }

  @Test
  void versionIsThatOfTheBuild() {
    assertTrue(
        cli.run("--version").out().matches("runyard \\d+\\.\\d+\\.\\d+\\S* \\(Java 25\\S*\\)\\R"));
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
