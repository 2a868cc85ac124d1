package dev.runyard.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.runyard.cli.client.RunServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class PublishCommandTest {
  private final RunServer server = new RunServer();
  private final Cli cli = new Cli().with("RUNYARD_URL", server.uri().toString());

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void publishesWhatARunChangedAndTellsWhere() throws JsonProcessingException {
    server.on("POST /v1/runs/r0/publish", 202, run("created"));
    server.on("GET /v1/runs/r1", 200, run("completed"));
    server.on(
        "GET /v1/runs/r1/events",
        (exchange, _) -> RunServer.event(RunServer.stream(exchange), 1, "task.completed", "{}"));
    server.on(
        "GET /v1/runs/r0/publish",
        200,
        "{\"branch\":\"fix\",\"commit\":\"c0ffee\",\"pull_request\":{\"number\":7,\"url\":\"https://h/7\"}}");

    Cli.Outcome outcome =
        cli.run(
            "publish",
            "r0",
            "--branch",
            "fix",
            "--pr-title",
            "Fix it",
            "--pr-draft",
            "--author",
            "A Person <a@example.org>",
            "--publish-credential",
            "PUSH");

    assertEquals(0, outcome.exit(), outcome.err());
    assertTrue(outcome.out().endsWith("fix c0ffee\nhttps://h/7\n"), outcome.out());
    assertEquals(
        json(
            """
            {"branch":"fix","pull_request":{"title":"Fix it","draft":true},"credential":"PUSH",
             "author":{"name":"A Person","email":"a@example.org"}}
            """),
        json(server.requests().getFirst().body()));
    assertEquals(2, cli.run("publish", "r0").exit());
  }

  @Test
  void letsARunPublishWhatItChanges() throws JsonProcessingException {
    server.on("POST /v1/runs", 202, run("created"));
    cli.run("run", "codex", "Fix it", "--git", "https://host/shop", "--branch", "fix", "--no-push");

    assertEquals(
        json(
            """
            {"agent":"codex","prompt":"Fix it","workspace":{"git":{"url":"https://host/shop"},
             "publish":{"branch":"fix","push":false}}}
            """),
        json(server.requests().getFirst().body()));
  }

  private static String run(String status) {
    return """
    {"run_id":"r1","agent":"codex","status":"%1$s","phase":"%1$s","session_id":"s1","attempt":1,
     "usage":{},"error":null,"created_at":"2026-01-01T00:00:00Z",
     "finished_at":"2026-01-01T00:00:01.500Z","last_sequence":4,"closed":true}
    """
        .formatted(status);
  }

  private static JsonNode json(String text) throws JsonProcessingException {
    return JsonMapper.builder().build().readTree(text);
  }
}
