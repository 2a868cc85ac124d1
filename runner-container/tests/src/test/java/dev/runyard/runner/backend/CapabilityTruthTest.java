package dev.runyard.runner.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentKind;
import dev.runyard.core.agent.AgentManifest;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.core.attempt.AgentSignal;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.run.Attempt;
import dev.runyard.runner.backend.claude.ClaudeAgentClientProtocol;
import dev.runyard.runner.backend.claude.ClaudeBackend;
import dev.runyard.runner.backend.claude.FakeClaude;
import dev.runyard.runner.backend.clientprotocol.FakeAcp;
import dev.runyard.runner.backend.codex.CodexBackend;
import dev.runyard.runner.backend.codex.FakeCodex;
import dev.runyard.runner.backend.echo.EchoBackend;
import dev.runyard.testkit.threads.TestPatience;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CapabilityTruthTest {
  private static final Duration BRIEF = Duration.ofMillis(300);

  @TempDir private Path directory;

  @Test
  void believesTheEcho() throws Exception {
    EchoBackend echo = new EchoBackend();
    AgentRunRequest request =
        Requests.request(
            "echo",
            "again",
            Map.of(
                AgentCatalog.ECHO_EVENTS, JsonNodeFactory.instance.numberNode(2),
                AgentCatalog.ECHO_INTERVAL_MILLIS, JsonNodeFactory.instance.numberNode(60_000)),
            directory);

    assertEquals(
        List.of(),
        CapabilityTruth.untrue(
            echo.manifest(), echo.start(request, Requests.context(directory)), TestPatience.LONG));
  }

  @Test
  void believesCodex() throws Exception {
    FakeCodex fake =
        FakeCodex.running(
            directory, "echo '{\"type\":\"thread.started\",\"thread_id\":\"t-1\"}'; sleep 300");

    assertEquals(List.of(), untrue(new CodexBackend(), fake.program()));
  }

  @Test
  void believesClaudeCode() throws Exception {
    FakeClaude fake = FakeClaude.running(directory, "hear; init; sleep 300");

    assertEquals(List.of(), untrue(new ClaudeBackend(), fake.program()));
  }

  @Test
  void believesAnAgentOfTheClientProtocol() throws Exception {
    FakeAcp fake = FakeAcp.running(directory, "open; hear; say working; sleep 300");

    assertEquals(List.of(), untrue(new ClaudeAgentClientProtocol(), fake.program()));
  }

  @Test
  void catchesAnAgentThatReportsEverythingAtItsEnd() throws Exception {
    assertEquals(
        List.of(Capabilities.EVENTS_LIVE),
        CapabilityTruth.untrue(manifest(Capabilities.EVENTS_LIVE), buffered(), BRIEF));
  }

  @Test
  void catchesAnAgentThatCannotBeCancelled() throws Exception {
    assertEquals(
        List.of(Capabilities.CANCEL),
        CapabilityTruth.untrue(manifest(Capabilities.CANCEL), stoppedBy(_ -> {}), BRIEF));
  }

  @Test
  void leavesAnAgentAloneThatPromisesNothing() throws Exception {
    assertEquals(List.of(), CapabilityTruth.untrue(manifest(), buffered(), BRIEF));
  }

  /// Reports its events when it is stopped. What the manifest of a CLI says and a run of its
  /// program does not do.
  private List<String> untrue(AgentBackend cli, Path program) throws Exception {
    AgentSettings.Agent settings =
        new AgentSettings.Agent(program.toString(), List.of(), Map.of(), null, null, null);
    Path home = Files.createDirectories(directory.resolve("home"));
    AgentRunRequest request =
        Requests.request(cli.manifest().kind().name(), "Do it", Map.of(), directory);
    return CapabilityTruth.untrue(
        cli.manifest(), cli.start(request, Requests.context(home, settings)), TestPatience.LONG);
  }

  private static AgentRun buffered() {
    return stoppedBy(
        output -> {
          try {
            output.tell(new RunEvent.ModelDelta("late"));
            output.end(
                new AgentSignal.Ended(
                    Optional.of(new Attempt.Exit(0, null)), 1, Optional.empty(), 0));
          } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
          }
        });
  }

  private static AgentRun stoppedBy(Consumer<AgentOutput> stop) {
    AgentOutput output = new AgentOutput(EventShaper.bare());
    return new AgentRun(output, AgentControl.withoutInput(output, () -> stop.accept(output)));
  }

  private static AgentManifest manifest(String... more) {
    TreeSet<String> ids = new TreeSet<>(List.of(Capabilities.RUN, Capabilities.EVENTS));
    ids.addAll(List.of(more));
    return new AgentManifest(
        new AgentKind("tested"), "Tested", "Is tested.", ids, List.of(), List.of());
  }
}
