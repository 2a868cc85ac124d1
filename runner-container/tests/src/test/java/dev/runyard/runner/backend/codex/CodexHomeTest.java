package dev.runyard.runner.backend.codex;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.agent.Grants;
import dev.runyard.core.agent.NetworkAccess;
import dev.runyard.core.agent.RequestEnv;
import dev.runyard.core.usage.Usage;
import dev.runyard.runner.backend.SessionChoice;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CodexHomeTest {

  private static final String THREAD = "00000000-0000-7000-8000-000000000001";

  @TempDir private Path directory = Path.of("");

  @Test
  void writesAQuietConfigurationWithoutTheKey() throws IOException {
    CodexHome home =
        CodexHome.prepare(directory.resolve("home"), CodexCommandTest.SETTINGS, directory);
    assertEquals(
        """
        model_provider = "runyard"
        check_for_update_on_startup = false

        [analytics]
        enabled = false

        [features]
        plugins = false
        apps = false

        [shell_environment_policy]
        exclude = ["MODEL_KEY", "CODEX_API_KEY"]

        [model_providers.runyard]
        name = "runyard"
        base_url = "http://127.0.0.1:8080/v1"
        wire_api = "responses"
        env_key = "MODEL_KEY"

        [projects."%s"]
        trust_level = "untrusted"
        """
            .formatted(directory.toRealPath()),
        Files.readString(home.path().resolve("config.toml")));
    assertTrue(Files.isDirectory(home.temporary()));
    try (var files = Files.list(home.path())) {
      assertEquals(
          List.of("config.toml", "scratch"),
          files.map(file -> file.getFileName().toString()).sorted().toList());
    }
  }

  @Test
  void leavesTheBuiltInProviderWithoutABaseUrl() {
    String config =
        CodexHome.config(
            new CodexSettings(
                "codex", List.of(), Map.of(), Optional.empty(), "KEY", Optional.empty()));
    assertFalse(config.contains("model_provider"));
  }

  /// With it each call would be refused, for its provider would search.
  @ParameterizedTest
  @CsvSource({
    "none, http://127.0.0.1:1/v1, true",
    "open, http://127.0.0.1:1/v1, false",
    "none,,false"
  })
  void asksForNoSearchWhereTheNetworkIsLimited(
      String network, @Nullable URI endpoint, boolean off) {
    AgentSettings.Agent agent =
        AgentSettings.Agent.DEFAULT.reaching(
            NetworkAccess.read(JsonNodeFactory.instance.textNode(network)).orElseThrow());
    String config =
        CodexHome.config(
            new CodexSettings(
                "codex",
                List.of(),
                Map.of(),
                Optional.ofNullable(endpoint),
                "KEY",
                Optional.empty(),
                agent.grants()));

    assertEquals(off, config.contains("\nweb_search = \"disabled\"\n"), config);
  }

  @Test
  void readsSettingsOfItsWorkspaceOnlyWhereTheOperatorTrustsIt() throws IOException {
    CodexSettings trusting =
        new CodexSettings(
            "codex",
            List.of(),
            Map.of(),
            Optional.empty(),
            "KEY",
            Optional.empty(),
            new Grants(Set.of(), RequestEnv.NONE, true));
    CodexHome home = CodexHome.prepare(directory.resolve("home"), trusting, directory);

    String config = Files.readString(home.path().resolve("config.toml"));
    assertTrue(config.contains("trust_level = \"trusted\""));
    assertFalse(config.contains("untrusted"));
  }

  @Test
  void isPreparedAgainForTheNextRun() throws IOException {
    CodexHome.prepare(directory, CodexCommandTest.SETTINGS, directory);
    Files.writeString(directory.resolve("kept"), "x");
    CodexHome.prepare(directory, CodexCommandTest.SETTINGS, directory);
    assertTrue(Files.exists(directory.resolve("kept")));
  }

  @Test
  void findsTheConversationAndWhatItUsed() throws IOException {
    CodexHome home = new CodexHome(directory);
    rollout(THREAD, "{}", 5, 100);
    assertEquals(
        new CodexThread.Known(THREAD, new Usage(100, 0, 7, 0, null)),
        home.thread(new SessionChoice.ById(THREAD, false)));
    assertEquals(new CodexThread.Fresh(), home.thread(new SessionChoice.Fresh()));
  }

  @Test
  void takesTheNewestConversationThatIsNotAHelpers() throws IOException {
    CodexHome home = new CodexHome(directory);
    rollout(THREAD, "{}", 5, 100);
    rollout(THREAD.replace('1', '2'), "{}", 6, 200);
    rollout(THREAD.replace('1', '3'), "{\"parent_thread_id\":\"" + THREAD + "\"}", 7, 300);
    assertEquals(
        new CodexThread.Known(THREAD.replace('1', '2'), new Usage(200, 0, 7, 0, null)),
        home.thread(new SessionChoice.Last(false)));
  }

  @Test
  void findsOnlyConversationsItHolds() throws IOException {
    CodexHome home = new CodexHome(directory);
    assertEquals("no session found", missing(home, new SessionChoice.Last(false)));
    rollout(THREAD, "{}", 5, 100);
    for (String unknown : List.of("my-session", THREAD.replace('1', '2'), "", "../" + THREAD)) {
      assertEquals("session not found", missing(home, new SessionChoice.ById(unknown, false)));
    }
  }

  private void rollout(String id, String meta, int second, int input) throws IOException {
    Path day = Files.createDirectories(directory.resolve("sessions/2026/01/02"));
    Path file = day.resolve("rollout-2026-01-02T03-04-05-" + id + ".jsonl");
    Files.writeString(
        file,
        """
        {"type":"session_meta","payload":%s}
        {"payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":1}}}}
        {"payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":%d,"output_tokens":7}}}}
        {"payload":{"type":"token_count","info":null}}
        not json "token_count"
        """
            .formatted(meta, input));
    Files.setLastModifiedTime(file, FileTime.from(second, TimeUnit.SECONDS));
  }

  private static String missing(CodexHome home, SessionChoice resume) throws IOException {
    return assertInstanceOf(CodexThread.Missing.class, home.thread(resume)).failure().message();
  }

  @Test
  void quotesForToml() {
    assertEquals("\"a\\\"b\\\\c\\u000Ad😀\"", CodexHome.quoted("a\"b\\c\nd😀"));
  }
}
