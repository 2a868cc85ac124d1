package dev.runyard.system.genuine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.cli.demo.Folders;
import dev.runyard.core.agent.AgentCli;
import dev.runyard.core.event.SandboxApplied;
import dev.runyard.local.model.ScriptedModelServer;
import dev.runyard.needs.Needs;
import dev.runyard.needs.Outside;
import dev.runyard.system.genuine.AgentTrial.Ran;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Genuine CLIs as users of their own, from where `runyard install` puts them for root.
@Needs(Outside.OWN_USERS)
final class IsolatedAgentsIT {
  private ScriptedModelServer model;
  private Path folder;

  @BeforeEach
  void begin() throws Exception {
    model = ScriptedModelServer.start(0, _ -> {});
    folder = TriedClis.folder("isolated-");
  }

  @AfterEach
  void stop() throws Exception {
    model.close();
    Folders.delete(folder);
  }

  @ParameterizedTest
  @MethodSource("dev.runyard.system.genuine.TriedClis#ofThisBuild")
  void workAsTheUserOfTheirAttempt(AgentCli cli) throws Exception {
    AgentTrial trial = TriedClis.apart(cli, folder, model);

    Ran ran =
        trial.run(
            "w",
            "[[sh id -u > who.txt; env -i setsid -f sleep 777; echo ran]] [[say Done]]",
            AgentTrial.permitted(cli.agents().getFirst().kind(), Map.of()));

    assertEquals(Optional.empty(), ran.end().failure());
    assertEquals("Done", ran.text());
    SandboxApplied told = trial.cell().told().orElseThrow();
    assertEquals("uid", told.level());
    assertEquals(String.valueOf(told.uid()), written(trial, "who.txt"));
    assertTrue(trial.cell().close());
    assertEquals(0, ran.end().processesLeft());
  }

  private static String written(AgentTrial trial, String file) throws IOException {
    return Files.readString(trial.workspace("w").resolve(file)).strip();
  }
}
