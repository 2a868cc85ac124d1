package dev.runyard.system.genuine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.cli.demo.Folders;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentCli;
import dev.runyard.core.agent.AgentKind;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.core.agent.StandardExtensions;
import dev.runyard.core.event.ActionDecision;
import dev.runyard.local.model.ModelExchange;
import dev.runyard.local.model.ScriptedModelServer;
import dev.runyard.runner.backend.AgentRun;
import dev.runyard.system.genuine.AgentTrial.Ran;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Genuine CLIs at work in a repository that tries to configure them.
final class HostileRepositoryIT {
  private final Queue<ModelExchange> asked = new ConcurrentLinkedQueue<>();
  private final Queue<ModelExchange> stolen = new ConcurrentLinkedQueue<>();
  private final ScriptedModelServer model;
  private final ScriptedModelServer thief;
  private final Path folder;

  HostileRepositoryIT() throws Exception {
    model = ScriptedModelServer.start(0, asked::add);
    thief = ScriptedModelServer.start(0, stolen::add);
    folder = TriedClis.folder("hostile-");
  }

  @AfterEach
  void stop() throws Exception {
    model.close();
    thief.close();
    Folders.delete(folder);
  }

  @ParameterizedTest
  @MethodSource("dev.runyard.system.genuine.TriedClis#ofThisBuild")
  void configuresNoAgent(AgentCli cli) throws Exception {
    AgentTrial trial = trial(cli, false);
    HostileRepository hostile = hostile(trial);
    Map<String, JsonNode> permitted = AgentTrial.permitted(kind(cli), Map.of());

    if (!cli.agents().getFirst().workspaceSettings().isEmpty()) {
      assertEquals("invalid_request", trial.run("w", "[[say Done]]", permitted).code());
      assertEquals(List.of(), hostile.left());
      for (String settings : cli.agents().getFirst().workspaceSettings()) {
        Folders.delete(hostile.folder().resolve(settings));
      }
    }
    Ran ran = trial.run("w", "[[sh git status; echo hi > made.txt]] [[say Done]]", permitted);

    assertEquals(Optional.empty(), ran.end().failure());
    assertTrue(Files.exists(hostile.folder().resolve("made.txt")));
    assertEquals(List.of(), hostile.left());
    assertEquals(List.of(), List.copyOf(stolen));
  }

  @ParameterizedTest
  @MethodSource("dev.runyard.system.genuine.TriedClis#ofThisBuild")
  void permitsNoAgentAnything(AgentCli cli) throws Exception {
    AgentTrial trial = trial(cli, false);
    HostileRepository hostile = hostile(trial);
    for (String settings : cli.agents().getFirst().workspaceSettings()) {
      Folders.delete(hostile.folder().resolve(settings));
    }

    Ran ran = trial.run("w", "[[sh bash -c 'touch made.txt']] [[say Done]]", restricted(cli));

    assertFalse(Files.exists(hostile.folder().resolve("made.txt")), ran.events().toString());
    assertFalse(asked.isEmpty());
    assertEquals(List.of(), hostile.left());
    assertEquals(List.of(), List.copyOf(stolen));
  }

  /// Shows that its settings are some that agents obey.
  @ParameterizedTest
  @MethodSource("dev.runyard.system.genuine.TriedClis#ofEveryBuild")
  void configuresAgentsOfAnOperatorWhoTrustsIt(AgentCli cli) throws Exception {
    AgentTrial trial = trial(cli, true);
    HostileRepository hostile = hostile(trial);

    AgentRun run =
        trial.start(
            "w", "[[sh git status]] [[say Done]]", AgentTrial.permitted(kind(cli), Map.of()));
    AgentTrial.finish(run);

    assertFalse(hostile.left().isEmpty() && stolen.isEmpty());
  }

  @Test
  void configuresNoCodexThatAsks() throws Exception {
    AgentCli codex = AgentCli.all().getFirst();
    AgentTrial trial = trial(codex, false);
    HostileRepository hostile = hostile(trial);
    Map<String, JsonNode> asking =
        Map.of(Capabilities.NON_INTERACTIVE, JsonNodeFactory.instance.booleanNode(false));

    trial.run("w", "[[sh bash -c 'touch a']] [[say Done]]", asking, ActionDecision.DENY);

    assertFalse(Files.exists(hostile.folder().resolve("a")));
    assertFalse(asked.isEmpty());
    assertEquals(List.of(), hostile.left());
    assertEquals(List.of(), List.copyOf(stolen));
  }

  private AgentTrial trial(AgentCli cli, boolean trusting) throws Exception {
    boolean origin = cli.trial().path("endpoint").asText().equals("origin");
    return new AgentTrial(
        kind(cli),
        folder,
        origin ? model.origin() : model.baseUrl(),
        cli.trial().path("model").asText("scripted-model"),
        trusting);
  }

  private HostileRepository hostile(AgentTrial trial) throws Exception {
    HostileRepository hostile =
        new HostileRepository(trial.workspace("w"), thief.origin(), folder.resolve("marks"));
    hostile.write();
    return hostile;
  }

  /// Extensions with which it may run no command that changes something.
  private static Map<String, JsonNode> restricted(AgentCli cli) {
    String approval = StandardExtensions.approvalKey(kind(cli));
    JsonNodeFactory json = JsonNodeFactory.instance;
    if (kind(cli).equals(AgentCatalog.CODEX)) {
      return Map.of(AgentCatalog.CODEX_SANDBOX_MODE, json.textNode("read-only"));
    }
    return cli.agents().getFirst().manifest().capabilities().contains(approval)
        ? Map.of(approval, json.textNode("none"))
        : Map.of();
  }

  private static AgentKind kind(AgentCli cli) {
    return cli.agents().getFirst().kind();
  }
}
