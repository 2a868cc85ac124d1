package dev.runyard.runner.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.core.artifact.Bucket;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.memory.MemoryLargeObjects;
import dev.runyard.core.quota.Quotas;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.run.RunState;
import dev.runyard.core.thread.ThreadOrigin;
import dev.runyard.runner.RunnerRig;
import dev.runyard.runner.backend.AgentGateway;
import dev.runyard.runner.backend.BackendContext;
import dev.runyard.runner.backend.claude.ClaudeBackend;
import dev.runyard.runner.backend.echo.EchoBackend;
import dev.runyard.runner.gateway.ModelGateway;
import dev.runyard.runner.log.RunnerLog;
import dev.runyard.runner.paused.FailingStore;
import dev.runyard.runner.process.ProcessLauncher;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What each step of preparing an agent does, and with what it refuses.
final class AgentPreparationTest {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  @TempDir private Path directory;
  private RunnerRig rig;
  private FailingStore store;
  private AgentSetup setup;

  @BeforeEach
  void open() {
    rig = new RunnerRig(directory);
    store = new FailingStore(rig.artifacts);
    RunnerLog log =
        new RunnerLog(new PrintStream(PrintStream.nullOutputStream()), () -> Instant.EPOCH);
    setup =
        new AgentSetup(
            new AgentGateway(List.of(new EchoBackend(), new ClaudeBackend())),
            new AgentEnvironment(AgentSettings.NONE, Map.of("PATH", "/bin", "SECRET", "s")),
            new RunnerFolders(directory, false),
            AttemptStores.in(
                new Bucket(store, new MemoryLargeObjects(store, InstantSource.system())),
                Quotas.NONE,
                _ -> ThreadOrigin.NONE),
            new BackendServices(
                ProcessLauncher.onThisMachine(),
                () -> Instant.EPOCH,
                BackendContext.Sessions.NONE,
                new ModelGateway(() -> Instant.EPOCH, new RandomIds(new SecureRandom()))),
            log);
  }

  @Test
  void getsReadyWhatTheAgentNeeds() throws IOException {
    AgentLaunch launch = Preparations.ready(prepare("claude_code", Map.of(), false));

    Path workspace = launch.request().workspace();
    assertTrue(workspace.startsWith(directory.toRealPath().resolve("workspaces")));
    assertEquals(workspace.resolve("project/src"), launch.request().workingDir());
    assertTrue(Files.isDirectory(launch.request().workingDir()));
    assertTrue(Files.isDirectory(launch.context().home()));
    assertEquals(Map.of("PATH", "/bin"), launch.context().baseEnv());
    assertTrue(launch.context().files().isPresent());
  }

  @Test
  void keepsNoFilesWhereSomeLieOutsideOfTheWorkspace() {
    JsonNode added = JSON.objectNode().set("dirs", JSON.arrayNode().add("/tmp"));

    AgentLaunch launch =
        Preparations.ready(prepare("claude_code", Map.of(Capabilities.ADD_DIRS, added), false));

    assertTrue(launch.context().files().isEmpty());
  }

  @Test
  void refusesWhereItCannotMakeAFolder() throws IOException {
    Files.writeString(directory.resolve("homes"), "no folder");

    assertEquals(
        Prepared.notStarted("the runner could not make a workspace"),
        Preparations.refusal(prepare("echo", Map.of(), false)));
  }

  @Test
  void refusesToContinueWithoutTheFilesOfTheAttemptBefore() {
    assertEquals(
        WorkspaceRestorer.LOST, Preparations.refusal(prepare("claude_code", Map.of(), true)));
    assertEquals(WorkspaceRestorer.LOST, Preparations.refusal(prepare("echo", Map.of(), true)));
  }

  @Test
  void refusesASessionThatIsNotThere() {
    JsonNode wanted = JSON.objectNode().put("selector", "last");

    assertEquals(
        "session_not_found",
        Preparations.refusal(
                prepare("claude_code", Map.of(Capabilities.SESSION_RESUME, wanted), false))
            .code());
  }

  /// No cell here limits it, so no agent starts; its endpoint is there before.
  @ParameterizedTest
  @CsvSource({
    "none, '', network of this run is limited",
    "open, none, network of this run is limited",
    "open, '', model provider cannot be reached"
  })
  void confinesItsProviderAsItself(String operators, String requests, String answer)
      throws Exception {
    String agents =
        "{\"agents\":{\"claude_code\":{\"endpoint\":\"http://127.0.0.1:9\",\"network\":\"%s\"}}}"
            .formatted(operators);
    setup =
        new AgentSetup(
            setup.gateway(),
            new AgentEnvironment(
                AgentSettings.parse(agents, AgentCatalog.builtIn()), Map.of("PATH", "/bin")),
            setup.folders(),
            setup.stores(),
            setup.services(),
            setup.log());
    AgentPreparation preparation =
        preparation(
            "claude_code",
            requests.isEmpty() ? Map.of() : Map.of(Capabilities.NETWORK, JSON.textNode(requests)),
            false);
    preparation.prepare();
    try {
      String address = preparation.models().endpoint().orElseThrow().address();
      HttpRequest call =
          HttpRequest.newBuilder(URI.create(address + "/v1/messages"))
              .header("Content-Type", "application/json")
              .POST(
                  HttpRequest.BodyPublishers.ofString(
                      "{\"model\":\"m\",\"tools\":[{\"type\":\"web_search\"}]}"))
              .build();

      String body =
          HttpClient.newHttpClient().send(call, HttpResponse.BodyHandlers.ofString()).body();

      assertTrue(body.contains(answer), body);
    } finally {
      preparation.models().close();
    }
  }

  private Prepared<AgentLaunch> prepare(
      String agent, Map<String, JsonNode> extensions, boolean continuation) {
    return preparation(agent, extensions, continuation).prepare();
  }

  private AgentPreparation preparation(
      String agent, Map<String, JsonNode> extensions, boolean continuation) {
    RunKey run = rig.submit(agent, extensions);
    Attempt attempt = Preparations.claimed(2, continuation);
    AgentAttempt of = AgentAttempt.of(((RunState.Existing) rig.state(run)).facts(), attempt, setup);
    return new AgentPreparation(setup, of, new AttemptFolders(false, setup.log()));
  }
}
