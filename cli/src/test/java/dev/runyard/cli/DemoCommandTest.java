package dev.runyard.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.runyard.cli.client.RunServer;
import dev.runyard.cli.install.AgentPackage;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DemoCommandTest {
  @TempDir private Path cache = Path.of("");

  private final RunServer server = new RunServer();
  private final AtomicReference<Stack.Settings> settings = new AtomicReference<>();
  private final AtomicReference<String> agents = new AtomicReference<>("");

  @BeforeEach
  void runCompletes() {
    server.on("POST /v1/runs", 202, "{\"run_id\":\"r1\"}");
    answer("completed");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void showsAnEchoRunAndLeavesNothingBehind() throws IOException {
    Cli.Outcome outcome = demo("echo");
    assertEquals(0, outcome.exit(), outcome.err());
    for (String part :
        new String[] {
          "Hi.",
          "Final text: Hi.",
          "Usage: 5 tokens in, 2 out",
          "accepted ",
          "first event ",
          "terminal ",
          "Status: completed"
        }) {
      assertTrue(outcome.out().contains(part), part + " is not in:\n" + outcome.out());
    }
    assertEquals(0, filesLeft());
  }

  @Test
  void runsTheInstalledCodexAgainstTheScriptedModel() throws IOException {
    Path program =
        cache.resolve(
            "codex/"
                + AgentPackage.of("codex").version()
                + "/node_modules/@openai/x/vendor/y/bin/codex");
    Files.createDirectories(program.getParent());
    Files.writeString(program, "#!/bin/sh\n");
    assertTrue(program.toFile().setExecutable(true));
    server.on("GET /v1/runs/r1/patch", 200, "+++ b/hello.txt\n+written\n");
    Cli.Outcome outcome = demo("codex");
    assertEquals(0, outcome.exit(), outcome.err());
    assertTrue(outcome.out().contains("The model is scripted"), outcome.out());
    assertTrue(
        outcome.out().contains("Codex CLI " + AgentPackage.of("codex").version() + " is real"));
    assertTrue(outcome.out().contains("a patch:\n+++ b/hello.txt\n+written\n=="), outcome.out());
    var codex = JsonMapper.builder().build().readTree(agents.get()).at("/agents/codex");
    assertEquals(program.toString(), codex.path("program").asText());
    assertTrue(codex.path("endpoint").asText().matches("http://127\\.0\\.0\\.1:\\d+/v1"));
    assertTrue(server.requests().getFirst().body().contains("[[sh printf"));
    assertTrue(server.requests().getFirst().body().contains("\"workspace\":{\"none\":true}"));
    assertEquals(0, filesLeft());
  }

  @Test
  void failsWithTheRunAndSaysWhy() throws IOException {
    answer("failed");
    Cli.Outcome outcome = demo("echo");
    assertEquals(1, outcome.exit());
    assertTrue(outcome.err().contains("ended as failed. lost: it broke"), outcome.err());
    assertEquals(0, filesLeft());
  }

  @Test
  void failsWhenThereIsNoPatchToShow() throws IOException {
    runsTheInstalledCodexAgainstTheScriptedModel();
    server.on(
        "GET /v1/runs/r1/patch", 404, "{\"code\":\"changes_not_found\",\"detail\":\"None.\"}");
    Cli.Outcome outcome = demo("codex");
    assertEquals(2, outcome.exit());
    assertTrue(outcome.err().contains("None."), outcome.err());
  }

  private Cli.Outcome demo(String agent) {
    return new Cli()
        .with("RUNYARD_CACHE", cache.toString())
        .starting(this::start)
        .run("demo", "--agent", agent);
  }

  private Stack start(Stack.Settings given) throws IOException {
    settings.set(given);
    if (given.agents() != null) {
      agents.set(Files.readString(given.agents()));
    }
    return new Stack() {
      @Override
      public URI uri() {
        return server.uri();
      }

      @Override
      public void close() {}
    };
  }

  private long filesLeft() throws IOException {
    try (Stream<Path> files = Files.list(cache.resolve("demo"))) {
      return files.count();
    }
  }

  private void answer(String status) {
    server.on(
        "GET /v1/runs/r1",
        200,
        """
        {"run_id":"r1","status":"%s","final_text":"Hi.",
         "usage":{"input_tokens":5,"cached_input_tokens":0,"output_tokens":2},
         "error":{"code":"lost","message":"it broke"}}
        """
            .formatted(status));
    server.on(
        "GET /v1/runs/r1/events",
        (exchange, _) -> {
          OutputStream out = RunServer.stream(exchange);
          RunServer.event(out, 1, "model.delta", "{\"text\":\"Hi.\"}");
          RunServer.event(out, 2, "task." + status, "{}");
        });
  }
}
