package dev.runyard.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.runyard.cli.client.RunServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HooksCommandTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final String HOOK =
      "{\"hook_id\":\"default.x\",\"url\":\"https://h/v1/hooks/default.x\",\"name\":\"issues\","
          + "\"sender\":\"github\",\"enabled\":true}";

  @TempDir private Path folder = Path.of("");

  private final RunServer server = new RunServer();
  private final Cli cli = new Cli().with("RUNYARD_URL", server.uri().toString());

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void makesAHookOfAFileAndSaysWhereToDeliver() throws IOException {
    server.on("POST /v1/hooks", 201, HOOK);
    Path file = Files.writeString(folder.resolve("hook.json"), "{\"name\":\"issues\"}");

    Cli.Outcome outcome = cli.run("hooks", "create", "--file", file.toString());

    assertEquals(0, outcome.exit(), outcome.err());
    assertEquals("default.x\n", outcome.out());
    assertTrue(outcome.err().contains("https://h/v1/hooks/default.x"), outcome.err());
    assertEquals("{\"name\":\"issues\"}", server.requests().getFirst().body());
    Files.writeString(file, "{");
    assertEquals(2, cli.run("hooks", "create", "--file", file.toString()).exit());
    assertEquals(2, cli.run("hooks", "create", "--file", file + "x").exit());
    assertEquals(2, cli.run("hooks", "create").exit());
    assertEquals(2, cli.run("hooks").exit());
  }

  @Test
  void listsShowsChangesAndDeletes() throws IOException {
    server.on("GET /v1/hooks", 200, "{\"hooks\":[" + HOOK + "]}");
    server.on("GET /v1/hooks/default.x", 200, HOOK);
    server.on("PATCH /v1/hooks/default.x", 200, HOOK);
    server.on("DELETE /v1/hooks/default.x", 204, "");
    Path file = Files.writeString(folder.resolve("change.json"), "{\"enabled\":false}");

    assertEquals("default.x  github  enabled  issues\n", cli.run("hooks", "list").out());
    assertEquals(JSON.readTree(HOOK), JSON.readTree(cli.run("hooks", "show", "default.x").out()));
    assertEquals(0, cli.run("hooks", "change", "default.x", "--file", file.toString()).exit());
    assertEquals("{\"enabled\":false}", server.requests().getLast().body());
    assertEquals(0, cli.run("hooks", "delete", "default.x").exit());
    assertEquals("DELETE /v1/hooks/default.x", server.requests().getLast().line());
  }

  @Test
  void triesASampleAndShowsWhatCameIn() throws IOException {
    server.on("POST /v1/hooks/default.x/dry-run", 200, "{\"outcome\":\"started\"}");
    server.on(
        "GET /v1/hooks/default.x/deliveries",
        200,
        "{\"deliveries\":[{\"received_at\":\"2026-01-01T00:00:00Z\",\"outcome\":\"refused\","
            + "\"delivery_id\":\"d-1\",\"event\":\"issues\",\"run_id\":null,"
            + "\"reason\":\"nothing\\u001b[2J there\",\"pointer\":\"/prompt\"}]}");
    Path body = Files.writeString(folder.resolve("body"), "{\"a\":1}");

    Cli.Outcome tried =
        cli.run(
            "hooks",
            "dry-run",
            "default.x",
            "--body",
            body.toString(),
            "--header",
            "X-Event=issues");
    assertEquals(0, tried.exit(), tried.err());
    assertEquals(
        JSON.readTree("{\"body\":\"{\\\"a\\\":1}\",\"headers\":{\"X-Event\":\"issues\"}}"),
        JSON.readTree(server.requests().getLast().body()));
    assertEquals(
        "2026-01-01T00:00:00Z  refused  issues  d-1  nothing there (/prompt)\n",
        cli.run("hooks", "deliveries", "default.x").out());
  }
}
