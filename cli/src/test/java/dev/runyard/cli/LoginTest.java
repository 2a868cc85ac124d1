package dev.runyard.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import dev.runyard.cli.client.RunServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A user logs in to servers, and a command shows each what it was given for it alone.
final class LoginTest {
  private static final String NONE = "none";
  private static final String KEY = "ry_theKeyOfThisTest";

  @TempDir private Path folder = Path.of("");

  private final RunServer server = new RunServer();
  private final RunServer other = new RunServer();
  private final List<String> shown = new CopyOnWriteArrayList<>();

  @BeforeEach
  void serve() {
    for (RunServer some : List.of(server, other)) {
      some.on("GET /v1/runs", (exchange, _) -> answer(exchange, "{\"runs\":[]}"));
      some.on("GET /v1/agents", (exchange, _) -> answer(exchange, "{\"agents\":[]}"));
    }
  }

  @AfterEach
  void stop() {
    server.close();
    other.close();
  }

  @Test
  void keepsTheKeyAndShowsItFromThenOn() throws Exception {
    Cli.Outcome login = login(KEY, server);
    assertEquals(ExitCode.DONE, login.exit(), login.err());
    assertFalse(login.err().contains(KEY), login.err());
    assertEquals(ExitCode.DONE, cli().run("list").exit());
    assertEquals(ExitCode.DONE, cli().run("list", "--url", server.uri() + "/").exit());
    assertEquals(List.of(bearer(KEY), bearer(KEY), bearer(KEY)), shown);
  }

  @Test
  void showsTheKeyOfAServerToNoOther() {
    login(KEY, server);
    shown.clear();
    assertEquals(ExitCode.DONE, cli().run("list", "--url", other.uri().toString()).exit());
    assertEquals(
        ExitCode.DONE, cli().with("RUNYARD_URL", other.uri().toString()).run("list").exit());
    assertEquals(List.of(NONE, NONE), shown);
  }

  @Test
  void keepsSeveralByName() {
    login(KEY, server);
    login("another", other, "--profile", "work");
    shown.clear();
    assertEquals(ExitCode.DONE, cli().run("list", "--profile", "work").exit());
    assertEquals(ExitCode.DONE, cli().with("RUNYARD_PROFILE", "work").run("list").exit());
    assertEquals(ExitCode.DONE, cli().run("list").exit());
    assertEquals(List.of(bearer("another"), bearer("another"), bearer(KEY)), shown);
    Cli.Outcome profiles = cli().run("profiles");
    assertTrue(profiles.out().contains("work"), profiles.out());
    assertFalse(profiles.out().contains("another"), profiles.out());
    assertFalse(cli().run("profiles", "-o", "json").out().contains(KEY));
    assertEquals(ExitCode.DONE, cli().run("logout", "--profile", "work").exit());
    assertEquals(ExitCode.USAGE, cli().run("list", "--profile", "work").exit());
  }

  @Test
  void asksWhichOfTwoIsMeant() {
    login(KEY, server);
    login("another", server, "--profile", "work");
    Cli.Outcome outcome = cli().run("list", "--url", server.uri().toString());
    assertEquals(ExitCode.USAGE, outcome.exit());
    assertTrue(outcome.err().contains("default, work"), outcome.err());
    assertEquals(ExitCode.USAGE, cli().run("list", "--url", "https://x", "--profile", "y").exit());
  }

  @Test
  void aTokenOfTheEnvironmentIsForTheNamedServer() {
    login(KEY, server);
    shown.clear();
    cli().with("RUNYARD_TOKEN", "given").run("list");
    cli().with("RUNYARD_TOKEN", "given").run("list", "--url", other.uri().toString());
    assertEquals(List.of(bearer("given"), bearer("given")), shown);
    Cli.Outcome broken = cli().with("RUNYARD_TOKEN", "two words").run("list");
    assertEquals(ExitCode.USAGE, broken.exit());
    assertFalse(broken.err().contains("two words"), broken.err());
  }

  @Test
  void keepsNothingThatDoesNotWork() {
    server.on(
        "GET /v1/agents", 401, "{\"status\":401,\"code\":\"invalid_key\",\"detail\":\"No.\"}");
    assertEquals(ExitCode.USAGE, login(KEY, server).exit());
    assertEquals(ExitCode.USAGE, login("", server).exit());
    assertEquals(ExitCode.USAGE, login("two words", server).exit());
    assertEquals(ExitCode.FAILED, login(KEY, "http://192.0.2.1:9").exit());
    assertFalse(Files.exists(folder.resolve("config")));
  }

  @Test
  void aKeyWithoutTheRightToListAgentsIsKept() {
    server.on(
        "GET /v1/agents", 403, "{\"status\":403,\"code\":\"scope_missing\",\"detail\":\"No.\"}");
    assertEquals(ExitCode.DONE, login(KEY, server).exit());
  }

  @Test
  void doctorSaysWhichStackAndWhetherItLetsIn() {
    login(KEY, server);
    String works = cli().run("doctor").out();
    assertTrue(works.contains("key or token (profile default)  " + server.uri()), works);
    assertTrue(works.contains(", release unknown, but this command is of release "), works);
    saysRelease(Version.number(), ", release " + Version.number() + "\n");
    saysRelease(
        "9.9.9", ", release 9.9.9, but this command is of release " + Version.number() + ": ");
    server.on(
        "GET /v1/agents", 401, "{\"status\":401,\"code\":\"invalid_key\",\"detail\":\"No.\"}");
    String refused = cli().run("doctor").out();
    assertTrue(
        refused.contains(
            server.uri() + ", authentication: key or token (profile default). invalid_key: No."),
        refused);
    assertFalse((works + refused).contains(KEY));
  }

  private void saysRelease(String number, String expected) {
    server.on(
        "GET /v1/agents",
        200,
        "{\"agents\":[],\"stack\":{\"release\":\"%s\",\"form\":1}}".formatted(number));
    String said = cli().run("doctor").out();
    assertTrue(said.replace("\r", "").contains(expected), said);
  }

  private Cli.Outcome login(String key, RunServer at, String... more) {
    return login(key, at.uri().toString(), more);
  }

  private Cli.Outcome login(String key, String url, String... more) {
    List<String> line = new ArrayList<>(List.of("login", "--url", url));
    line.addAll(List.of(more));
    return cli().piping(key + "\n").run(line.toArray(String[]::new));
  }

  private Cli cli() {
    return new Cli()
        .with("RUNYARD_CACHE", folder.resolve("cache").toString())
        .with("RUNYARD_CONFIG", folder.resolve("config").toString());
  }

  private static String bearer(String key) {
    return "Bearer " + key;
  }

  private void answer(HttpExchange exchange, String body) throws IOException {
    shown.add(exchange.getRequestHeaders().getOrDefault("Authorization", List.of(NONE)).getFirst());
    RunServer.respond(exchange, 200, body);
  }
}
