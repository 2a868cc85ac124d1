package dev.runyard.system.genuine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentKind;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.core.agent.PromptedAgents;
import dev.runyard.core.event.RunEvent;
import dev.runyard.local.model.ScriptedModelServer;
import dev.runyard.system.genuine.AgentTrial.Ran;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The genuine CLIs that take one prompt, installed as users install them, against the scripted
/// model.
@Timeout(300)
final class RealAgentsIT {

  @TempDir private Path folder = Path.of("");

  private final ScriptedModelServer model;

  RealAgentsIT() throws Exception {
    model = ScriptedModelServer.start(0, _ -> {});
  }

  /// A build installs and tries one of them; `-Drunyard.agents=all` tries the others too.
  static List<AgentKind> kinds() {
    return System.getProperty("runyard.agents", "").equals("all")
        ? List.of(
            PromptedAgents.PI,
            PromptedAgents.GEMINI_CLI,
            PromptedAgents.COPILOT,
            PromptedAgents.QWEN,
            PromptedAgents.OPENCODE)
        : List.of(PromptedAgents.PI);
  }

  @AfterEach
  void stop() {
    model.close();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void carriesOutAScriptAndGoesOnWithItElsewhere(AgentKind kind) throws Exception {
    AgentTrial trial = trial(kind);
    Ran first =
        trial.run(
            "one",
            "[[usage 10 3]] [[sh echo made > a.txt]] [[slow 3 5]]",
            AgentTrial.permitted(kind, Map.of()));
    assertEquals(Optional.empty(), first.end().failure());
    assertEquals("1 2 3", first.text());
    assertTrue(Files.exists(trial.workspace("one").resolve("a.txt")));
    assertTrue(first.events().stream().anyMatch(RunEvent.ToolResult.class::isInstance));
    assertEquals(0, first.end().processesLeft());
    if (offers(kind, Capabilities.SESSION_RESUME)) {
      Ran second =
          trial.run(
              "two",
              "[[sh echo made > b.txt]] [[say Again]]",
              AgentTrial.permitted(kind, AgentTrial.resuming(first.session())));
      assertEquals(Optional.empty(), second.end().failure());
      assertEquals("Again", second.text());
      assertEquals(first.session(), second.session());
      assertTrue(Files.exists(trial.workspace("two").resolve("b.txt")));
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void failsWithAMeaning(AgentKind kind) throws Exception {
    AgentTrial trial = trial(kind);
    assertEquals("key_refused", trial.run("w", "[[status 401]]", Map.of()).code());
    assertEquals("quota_exhausted", trial.run("w", "[[status 402]]", Map.of()).code());
    assertEquals("no_such_model", trial.run("w", "[[status 404]]", Map.of()).code());
    if (offers(kind, Capabilities.SESSION_RESUME)) {
      String nobody = "01000000-0000-4000-8000-000000000000";
      assertEquals("session_not_found", trial.run("w", "Hi", AgentTrial.resuming(nobody)).code());
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void leavesNothingBehindWhenItIsEnded(AgentKind kind) throws Exception {
    String mark = folder.resolve("mark").toString();
    Ran ran = trial(kind).stoppedAtATool(mark);
    assertEquals(0, ran.end().processesLeft());
    assertEquals(List.of(), AgentTrial.processes(mark));
    assertTrue(ran.events().stream().noneMatch(RunEvent.RuntimeError.class::isInstance));
  }

  private AgentTrial trial(AgentKind kind) throws Exception {
    URI endpoint = kind.equals(PromptedAgents.GEMINI_CLI) ? model.origin() : model.baseUrl();
    return new AgentTrial(kind, folder, endpoint);
  }

  private static boolean offers(AgentKind kind, String capability) {
    return AgentCatalog.builtIn()
        .find(kind.name())
        .orElseThrow()
        .capabilities()
        .contains(capability);
  }
}
