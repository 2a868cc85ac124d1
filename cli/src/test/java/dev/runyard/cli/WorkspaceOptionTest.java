package dev.runyard.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.runyard.cli.client.RunServer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

  @Test
  void saysEverythingOfARepository() throws JsonProcessingException {
    server.on("POST /v1/runs", 202, "{\"run_id\":\"r1\",\"status\":\"created\"}");
    String[] all =
        "run codex Fix --git https://host/a --ref v1 --credential GIT --depth 0 --sparse src --sparse doc --submodules --lfs"
            .split(" ", -1);
    assertEquals(0, cli.run(all).exit());

    assertEquals(
        json(
            """
            {"git":{"url":"https://host/a","ref":"v1","credential":"GIT","depth":0,
              "sparse":["src","doc"],"submodules":true,"lfs":true}}
            """),
        json(server.requests().getFirst().body()).get("workspace"));
    assertEquals(2, cli.run("run", "codex", "Fix", "--submodules").exit());
  }

  @Test
  void beginsWithTheFilesOfAnotherRun() throws JsonProcessingException {
    server.on("POST /v1/runs", 202, "{\"run_id\":\"r2\",\"status\":\"created\"}");
    cli.run("run", "codex", "Go on", "--from-run", "r1");

    assertEquals(
        json("{\"run\":\"r1\"}"), json(server.requests().getFirst().body()).get("workspace"));
    assertEquals(2, cli.run("run", "codex", "Go", "--from-run", "r1", "--empty").exit());
  }

  @Test
  void putsNothingThatTheStackHas(@TempDir Path folder) throws Exception {
    Files.writeString(folder.resolve("calc"), "1\n");
    server.on("POST /v1/uploads", 200, "{\"upload_id\":\"u1\",\"state\":\"stored\"}");
    server.on("POST /v1/runs", 202, "{\"run_id\":\"r1\",\"status\":\"created\"}");

    assertEquals(0, cli.run("run", "codex", "Fix", "--repo", folder.toString()).exit());

    assertEquals(2, server.requests().size());
    assertEquals(
        json("{\"upload\":{\"id\":\"u1\"}}"),
        json(server.requests().getLast().body()).get("workspace"));
  }

  private static JsonNode json(String text) throws JsonProcessingException {
    return JsonMapper.builder().build().readTree(text);
  }
}
