package dev.runyard.runner.backend.javaagent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.agent.host.InstalledAgent;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.event.RunEvent;
import dev.runyard.needs.Needs;
import dev.runyard.needs.Outside;
import dev.runyard.runner.backend.AgentRunRequest;
import dev.runyard.runner.backend.AgentSurroundings;
import dev.runyard.runner.backend.BackendContext;
import dev.runyard.runner.backend.Requests;
import dev.runyard.runner.backend.Signals;
import dev.runyard.runner.isolation.AttemptLimits;
import dev.runyard.runner.isolation.Cell;
import dev.runyard.runner.isolation.Isolation;
import dev.runyard.runner.isolation.IsolationChoice;
import dev.runyard.runner.process.ProcessLauncher;
import dev.runyard.runner.process.RunMark;
import dev.runyard.runner.workspace.Workspace;
import dev.runyard.testkit.threads.TestPatience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A Java agent whose attempt has a user of its own, which reaches nothing of the operator's.
@Needs(Outside.OWN_USERS)
final class OwnUserAgentsTest {
  private static final Patience PATIENT =
      new Patience(
          Math.toIntExact(TestPatience.LONG_SECONDS),
          Patience.STOP_SECONDS_MAX,
          Patience.DYING_SECONDS_MAX);

  @TempDir private Path folder;

  @Test
  void workFromAJarThatTheirUserDoesNotReach() throws IOException {
    Path jars = Files.createDirectory(folder.resolve("jars"));
    InstalledAgent agent = AgentJar.of(new Hostile(), jars);
    close(jars);

    Signals told = told(agent, Hostile.SHOWS_SURROUNDINGS);

    assertEquals(Optional.empty(), told.end().failure());
    assertTrue(told.text().startsWith("begun"), told.text());
    assertFalse(told.text().contains(jars.toString()), told.text());
  }

  @Test
  void areEndedWhenTheyWriteToTheChannel() throws IOException {
    Signals told = told(AgentJar.of(new Hostile(), folder), Hostile.FORGES);

    assertEquals(Optional.of(JavaAgentOutcome.BROKE_PROTOCOL), told.end().failure());
    assertEquals(
        List.of(new RunEvent.ModelDelta("begun")),
        told.events().stream().filter(RunEvent.ModelDelta.class::isInstance).toList());
  }

  /// Its pipes are its user's.
  @Test
  void printToWhatTheyInherit() throws IOException {
    Signals told = told(AgentJar.of(new Hostile(), folder), Hostile.LETS_A_PROGRAM_PRINT);

    assertEquals(Optional.empty(), told.end().failure());
  }

  private Signals told(InstalledAgent agent, String work) throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
    Path folders = folder.resolve("work");
    Isolation isolation =
        Isolation.decide(
            new Isolation.Setting(
                IsolationChoice.of("uid"),
                "",
                folders,
                AttemptLimits.of("{}", 8L << 30),
                "/usr/bin:/bin",
                List.of()));
    RunMark mark = new RunMark("run", work.replace(" ", "-"));
    Workspace home = Workspace.create(folders.resolve("homes"), mark);
    Workspace workspace = Workspace.create(folders.resolve("workspaces"), mark);
    Cell cell = isolation.cell(mark.value(), List.of(home.path(), workspace.path()));
    AgentRunRequest request = Requests.request("hostile", work, Map.of(), workspace.path());
    BackendContext context =
        new BackendContext(
            AgentSettings.Agent.DEFAULT,
            ProcessLauncher.onThisMachine().in(cell),
            InstantSource.system(),
            new AgentSurroundings(Map.of("PATH", "/usr/bin:/bin"), Optional.empty(), home.path()),
            BackendContext.Sessions.NONE,
            BackendContext.Output.BARE);
    try {
      return Signals.of(new JavaAgentBackend(agent, PATIENT).start(request, context));
    } finally {
      assertTrue(cell.close());
    }
  }

  private static void close(Path path) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx------"));
  }
}
