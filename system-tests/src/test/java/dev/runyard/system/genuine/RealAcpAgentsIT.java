package dev.runyard.system.genuine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.core.agent.AgentKind;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.core.agent.ClientProtocolAgents;
import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.RunEvent;
import dev.runyard.local.model.ScriptedModelServer;
import dev.runyard.system.genuine.AgentTrial.Ran;
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

/// Genuine agents of the Agent Client Protocol, installed as users install them, against the
/// scripted model.
@Timeout(300)
final class RealAcpAgentsIT {
  private static final String TOUCH = "[[sh echo made > %s.txt]] [[say Done]]";

  @TempDir private Path folder = Path.of("");

  private final ScriptedModelServer model;

  RealAcpAgentsIT() throws Exception {
    model = ScriptedModelServer.start(0, _ -> {});
  }

  /// A build installs and tries one of them; `-Drunyard.agents=all` tries the other too.
  static List<AgentKind> kinds() {
    return System.getProperty("runyard.agents", "").equals("all")
        ? List.of(ClientProtocolAgents.CLAUDE_AGENT, ClientProtocolAgents.CODEX)
        : List.of(ClientProtocolAgents.CLAUDE_AGENT);
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
            "one", "[[sh echo made > a.txt]] [[slow 3 5]]", AgentTrial.permitted(kind, Map.of()));
    assertEquals(Optional.empty(), first.end().failure());
    assertEquals("1 2 3", first.text());
    assertTrue(Files.exists(trial.workspace("one").resolve("a.txt")));
    assertTrue(first.events().stream().anyMatch(RunEvent.ToolResult.class::isInstance));
    assertEquals(0, first.end().processesLeft());

    Ran second =
        trial.run(
            "two",
            TOUCH.formatted("b"),
            AgentTrial.permitted(kind, AgentTrial.resuming(first.session())));
    assertEquals(Optional.empty(), second.end().failure());
    assertEquals("Done", second.text());
    assertEquals(first.session(), second.session());
    assertTrue(Files.exists(trial.workspace("two").resolve("b.txt")));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void doesWhatAPersonPermitsAndNothingElse(AgentKind kind) throws Exception {
    AgentTrial trial = trial(kind);
    Map<String, JsonNode> asked =
        Map.of(Capabilities.NON_INTERACTIVE, JsonNodeFactory.instance.booleanNode(false));

    Ran approved = trial.run("w", TOUCH.formatted("a"), asked, ActionDecision.APPROVE);
    Ran denied = trial.run("w", TOUCH.formatted("b"), asked, ActionDecision.DENY);
    Ran late = trial.run("w", TOUCH.formatted("c"), asked, ActionDecision.TIMED_OUT);
    Ran alone = trial.run("w", TOUCH.formatted("d"), Map.of());

    assertEquals(Optional.empty(), approved.end().failure());
    assertTrue(Files.exists(trial.workspace("w").resolve("a.txt")));
    for (Ran refused : List.of(denied, late, alone)) {
      assertTrue(refused.events().stream().anyMatch(RunEvent.ToolFailed.class::isInstance));
    }
    for (String refused : List.of("b", "c", "d")) {
      assertFalse(Files.exists(trial.workspace("w").resolve(refused + ".txt")));
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void failsWithAMeaning(AgentKind kind) throws Exception {
    AgentTrial trial = trial(kind);
    assertEquals("key_refused", trial.run("w", "[[status 401]]", Map.of()).code());
    assertEquals("quota_exhausted", trial.run("w", "[[status 402]]", Map.of()).code());
    assertEquals("no_such_model", trial.run("w", "[[status 404]]", Map.of()).code());
    String nobody = "01000000-0000-4000-8000-000000000000";
    assertEquals("session_not_found", trial.run("w", "Hi", AgentTrial.resuming(nobody)).code());
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
    return new AgentTrial(kind, folder, model.baseUrl());
  }
}
