package dev.runyard.system.genuine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.core.agent.AgentCli;
import dev.runyard.core.agent.AgentKind;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.core.agent.StandardExtensions;
import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.usage.Usage;
import dev.runyard.local.model.ScriptedModelServer;
import dev.runyard.system.genuine.AgentTrial.Ran;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Genuine CLIs, installed as users install them, against the scripted model.
final class RealAgentsIT {
  private static final String TOUCH = "[[sh echo made > %s.txt]] [[say Done]]";

  @TempDir private Path folder = Path.of("");

  private final ScriptedModelServer model;

  RealAgentsIT() throws Exception {
    model = ScriptedModelServer.start(0, _ -> {});
  }

  /// The CLIs whose permissions can be set by an extension; of a CLI that can be several agents,
  /// the first one.
  static List<AgentCli> clis() {
    return TriedClis.ofThisBuild().stream()
        .filter(cli -> offers(cli, StandardExtensions.approvalKey(kind(cli))))
        .toList();
  }

  /// The CLIs among them that can ask a person.
  static List<AgentCli> asking() {
    return clis().stream().filter(cli -> offers(cli, Capabilities.NON_INTERACTIVE)).toList();
  }

  @AfterEach
  void stop() {
    model.close();
  }

  @ParameterizedTest
  @MethodSource("clis")
  void carriesOutAScriptAndContinuesWithItElsewhere(AgentCli cli) throws Exception {
    AgentTrial trial = trial(cli);
    Ran first =
        trial.run(
            "one",
            "[[usage 10 3]] [[sh echo made > a.txt]] [[slow 3 5]]",
            AgentTrial.permitted(kind(cli), Map.of()));
    assertEquals(Optional.empty(), first.end().failure());
    assertEquals("1 2 3", first.text());
    assertTrue(Files.exists(trial.workspace("one").resolve("a.txt")));
    assertTrue(first.events().stream().anyMatch(RunEvent.ToolResult.class::isInstance));
    assertEquals(0, first.end().processesLeft());
    Usage called = trial.called(2);
    assertTrue(called.inputTokens() >= 10, called::toString);
    if (offers(cli, Capabilities.SESSION_RESUME)) {
      Ran second =
          trial.run(
              "two",
              "[[sh echo made > b.txt]] [[say Again]]",
              AgentTrial.permitted(kind(cli), AgentTrial.resuming(first.session())));
      assertEquals(Optional.empty(), second.end().failure());
      assertEquals("Again", second.text());
      assertEquals(first.session(), second.session());
      assertTrue(Files.exists(trial.workspace("two").resolve("b.txt")));
    }
  }

  @ParameterizedTest
  @MethodSource("asking")
  void doesWhatAPersonPermitsAndNothingElse(AgentCli cli) throws Exception {
    AgentTrial trial = trial(cli);
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
  @MethodSource("clis")
  void failsWithAMeaning(AgentCli cli) throws Exception {
    AgentTrial trial = trial(cli);
    assertEquals("key_refused", trial.run("w", "[[status 401]]", Map.of()).code());
    assertEquals("quota_exhausted", trial.run("w", "[[status 402]]", Map.of()).code());
    assertEquals("no_such_model", trial.run("w", "[[status 404]]", Map.of()).code());
    if (offers(cli, Capabilities.SESSION_RESUME)) {
      String nobody = "01000000-0000-4000-8000-000000000000";
      assertEquals("session_not_found", trial.run("w", "Hi", AgentTrial.resuming(nobody)).code());
    }
  }

  @ParameterizedTest
  @MethodSource("clis")
  void leavesNothingBehindWhenItIsEnded(AgentCli cli) throws Exception {
    String mark = folder.resolve("mark").toString();
    Ran ran = trial(cli).stoppedAtATool(mark);
    assertEquals(0, ran.end().processesLeft());
    assertEquals(List.of(), AgentTrial.processes(mark));
    assertTrue(ran.events().stream().noneMatch(RunEvent.RuntimeError.class::isInstance));
  }

  private AgentTrial trial(AgentCli cli) throws Exception {
    boolean origin = cli.trial().path("endpoint").asText().equals("origin");
    return new AgentTrial(kind(cli), folder, origin ? model.origin() : model.baseUrl());
  }

  private static AgentKind kind(AgentCli cli) {
    return cli.agents().getFirst().kind();
  }

  private static boolean offers(AgentCli cli, String capability) {
    return cli.agents().getFirst().manifest().capabilities().contains(capability);
  }
}
