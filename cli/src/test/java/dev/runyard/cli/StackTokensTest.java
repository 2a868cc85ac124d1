package dev.runyard.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import dev.runyard.cli.client.RunServer;
import dev.runyard.local.http.AccessToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A command finds the access token of a stack of its user, and sends it nowhere else.
final class StackTokensTest {
  private static final String NONE = "none";

  @TempDir private Path cache = Path.of("");

  private final RunServer server = new RunServer();
  private final List<String> shown = new CopyOnWriteArrayList<>();

  @BeforeEach
  void serve() {
    server.on("GET /v1/runs", (exchange, _) -> answer(exchange, "{\"runs\":[]}"));
    server.on("GET /v1/runs/r1", (exchange, _) -> answer(exchange, "{\"run_id\":\"r1\"}"));
    server.on("POST /v1/runs", (exchange, _) -> answer(exchange, "{\"run_id\":\"r1\"}"));
    server.on("POST /v1/runs/r1/cancel", (exchange, _) -> answer(exchange, "{}"));
    server.on(
        "GET /v1/runs/r1/events",
        (exchange, _) -> {
          note(exchange);
          RunServer.event(RunServer.stream(exchange), 1, "task.completed", "{}");
        });
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void everyCommandShowsTheTokenOfItsUsersStack() throws Exception {
    String token = left();
    for (String[] command :
        List.of(
            new String[] {"list"},
            new String[] {"get", "r1"},
            new String[] {"run", "echo", "hi"},
            new String[] {"cancel", "r1"},
            new String[] {"watch", "r1"})) {
      shown.clear();
      command(command);
      assertTrue(!shown.isEmpty(), () -> "not called by " + command[0]);
      assertEquals(List.of("Bearer " + token), shown.stream().distinct().toList(), command[0]);
    }
  }

  @Test
  void showsNothingToAServerWithoutAToken() {
    assertEquals(ExitCode.DONE, command("list").exit());
    assertEquals(List.of(NONE), shown);
  }

  @Test
  void showsTheTokenToNobodyWhoListensElsewhere() throws Exception {
    left();
    try (RunServer other = new RunServer()) {
      other.on("GET /v1/runs", (exchange, _) -> answer(exchange, "{\"runs\":[]}"));
      assertEquals(
          ExitCode.DONE, cli().with("RUNYARD_URL", other.uri().toString()).run("list").exit());
    }
    assertEquals(List.of(NONE), shown);
  }

  @Test
  void saysWhatToDoWithARefusedToken() throws Exception {
    left();
    String problem =
        "{\"status\":401,\"code\":\"invalid_token\",\"detail\":\"This is not it. Read the file.\"}";
    server.on("GET /v1/runs", 401, problem);
    Cli.Outcome outcome = command("list");
    assertEquals(ExitCode.USAGE, outcome.exit());
    assertEquals("runyard: invalid_token: This is not it. Read the file.\n", outcome.err());
  }

  @Test
  void saysThatATokenCannotBeRead() throws Exception {
    Files.createDirectories(StackTokens.of(env()).file(server.uri().getPort()));
    Cli.Outcome outcome = command("list");
    assertTrue(outcome.err().startsWith("runyard: the access token of "), outcome.err());
    assertEquals(List.of(NONE), shown);
  }

  /// The token of the stack that the server plays.
  private String left() throws IOException {
    StackTokens.of(env()).leave(server.uri().getPort(), AccessToken.drawn(new SecureRandom()));
    return StackTokens.of(env()).find(server.uri()).orElseThrow();
  }

  private Map<String, String> env() {
    return Map.of("RUNYARD_CACHE", cache.toString());
  }

  private Cli cli() {
    return new Cli().with("RUNYARD_CACHE", cache.toString());
  }

  private Cli.Outcome command(String... line) {
    return cli().with("RUNYARD_URL", server.uri().toString()).run(line);
  }

  private void answer(HttpExchange exchange, String body) throws IOException {
    note(exchange);
    RunServer.respond(exchange, 200, body);
  }

  private void note(HttpExchange exchange) {
    shown.add(exchange.getRequestHeaders().getOrDefault("Authorization", List.of(NONE)).getFirst());
  }
}
