package dev.runyard.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.runyard.cli.client.RunServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class WorkspaceOptionTest {
  private final RunServer server = new RunServer();
  private final Cli cli = new Cli().with("RUNYARD_URL", server.uri().toString());

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void beginsWithTheFilesOfTheSessionItContinues() throws JsonProcessingException {
    server.on("POST /v1/runs", 202, "{\"run_id\":\"r1\",\"status\":\"created\"}");
    cli.run("run", "codex", "Go on", "--session", "s", "--branch", "fix");
    cli.run("run", "codex", "Go on", "--session", "s", "--empty");

    assertEquals(
        json("{\"session\":true,\"publish\":{\"branch\":\"fix\"}}"),
        json(server.requests().getFirst().body()).get("workspace"));
    assertEquals(
        json("{\"none\":true}"), json(server.requests().getLast().body()).get("workspace"));
    assertEquals(2, cli.run("run", "codex", "Go", "--empty", "--git", "https://host/a").exit());
  }

  private static JsonNode json(String text) throws JsonProcessingException {
    return JsonMapper.builder().build().readTree(text);
  }
}
