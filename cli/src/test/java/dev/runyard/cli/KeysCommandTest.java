package dev.runyard.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.cli.client.RunServer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class KeysCommandTest {
  private static final String MADE =
      """
      {"id":"key_1","name":"ci","tenant":"acme","scopes":["runs:read"],"actor":"key:key_1",\
      "created_by":"local","created_at":"2026-03-01T12:00:00Z","expires_at":null,\
      "last_used_at":null,"revoked_at":null%s}""";

  private final RunServer server = new RunServer();

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void printsTheKeyAlone() {
    server.on("POST /v1/keys", 201, MADE.formatted(",\"key\":\"ry_text\""));
    Cli.Outcome made =
        run(
            "create",
            "--tenant",
            "acme",
            "--name",
            "ci",
            "--scopes",
            "runs:read,runs:write",
            "--expires",
            "30d");
    assertEquals(ExitCode.DONE, made.exit(), made.err());
    assertEquals("ry_text\n", made.out());
    assertTrue(made.err().contains("key_1 of tenant acme with runs:read"), made.err());
    assertEquals(
        List.of(
            "{\"name\":\"ci\",\"tenant\":\"acme\",\"scopes\":[\"runs:read\",\"runs:write\"],"
                + "\"expires_in_seconds\":2592000}"),
        server.requests().stream().map(RunServer.Request::body).toList());
  }

  @Test
  void asksForNothingThatCannotBe() {
    for (String time : List.of("30", "0d", "-1d", "soon", "1y", "9999999999s")) {
      assertEquals(
          ExitCode.USAGE, run("create", "--scopes", "runs:read", "--expires", time).exit(), time);
    }
    assertEquals(ExitCode.USAGE, run("create").exit());
    assertEquals(ExitCode.USAGE, run().exit());
    Cli.Outcome wrong =
        run("create", "--stack-table", "views", "--region", "eu-west-1", "--scopes", "runs:all");
    assertEquals(ExitCode.USAGE, wrong.exit(), wrong.err());
    assertTrue(wrong.err().contains("/scopes/0"), wrong.err());
    assertEquals(List.of(), server.requests());
  }

  @Test
  void listsAndRevokes() {
    server.on("GET /v1/keys", 200, "{\"keys\":[" + MADE.formatted("") + "]}");
    server.on("POST /v1/keys/key_1/revoke", 200, MADE.formatted(""));
    Cli.Outcome listed = run("list", "--tenant", "acme");
    assertEquals(
        "key_1  ci  runs:read  made 2026-03-01T12:00:00Z, never used\n",
        listed.out(),
        listed.err());
    assertEquals("revoked key_1\n", run("revoke", "key_1").out());
    assertEquals(
        List.of("GET /v1/keys?tenant=acme", "POST /v1/keys/key_1/revoke"),
        server.requests().stream().map(RunServer.Request::line).toList());
  }

  private Cli.Outcome run(String... arguments) {
    String[] line = new String[arguments.length + 1];
    line[0] = "keys";
    System.arraycopy(arguments, 0, line, 1, arguments.length);
    return new Cli().with("RUNYARD_URL", server.uri().toString()).run(line);
  }
}
