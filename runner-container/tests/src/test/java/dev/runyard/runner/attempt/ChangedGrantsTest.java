package dev.runyard.runner.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.core.agent.CommandTemplate;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.event.WorkspaceNotice;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.request.WorkspaceRequest;
import dev.runyard.core.request.WorkspaceSource;
import dev.runyard.runner.RunnerRig;
import dev.runyard.runner.backend.AgentBackend;
import dev.runyard.runner.backend.AgentGateway;
import dev.runyard.runner.backend.command.CommandBackend;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs that waited while the operator allowed less.
final class ChangedGrantsTest {
  private static final JsonNode OPEN = JsonNodeFactory.instance.textNode("open");

  @TempDir private Path directory;

  @Test
  void runsNoCommandUnderANetworkThatTheOperatorDoesNotAllow() throws Exception {
    AgentSettings none = settings(",\"network\": \"none\"");
    assertRefused(ProblemCode.INVALID_REQUEST, new AgentGateway(backends(none)), none);
  }

  @Test
  void runsNoCommandUnderANetworkOfWhichTheOperatorSaysNothing() throws Exception {
    AgentSettings silent = settings("");
    assertRefused(ProblemCode.UNSUPPORTED_CAPABILITY, new AgentGateway(backends(silent)), silent);
  }

  @Test
  void runsNoCommandOfAnAgentThatIsGone() throws Exception {
    assertRefused(ProblemCode.UNKNOWN_BACKEND, new AgentGateway(List.of()), AgentSettings.NONE);
  }

  private void assertRefused(ProblemCode why, AgentGateway gateway, AgentSettings settings)
      throws Exception {
    RunnerRig runner = new RunnerRig(Files.createDirectory(directory.resolve("work")));
    Path ran = directory.resolve("ran");
    RunKey run =
        runner.submit(
            "shell",
            Map.of(Capabilities.NETWORK, OPEN),
            WorkspaceRequest.of(
                new WorkspaceSource.None(), List.of("touch " + ran), 60, List.of(), false));

    runner
        .attempts(gateway, settings, Map.of("PATH", System.getenv("PATH")))
        .work(runner.queue.receive(1, 0).getFirst());

    List<RunEvent> events = runner.events(run).stream().map(StoredEvent::event).toList();
    assertEquals(
        List.of(why.code()),
        events.stream()
            .filter(RunEvent.AttemptFailed.class::isInstance)
            .map(event -> ((RunEvent.AttemptFailed) event).error().code())
            .toList());
    assertEquals(
        List.of(),
        events.stream().filter(WorkspaceNotice.HookCompleted.class::isInstance).toList());
    assertFalse(Files.exists(ran));
  }

  private static AgentSettings settings(String more) {
    return AgentSettings.parse(
        "{\"agents\": {\"shell\": {\"program\": \"/bin/sh\", \"command\": {}" + more + "}}}",
        AgentCatalog.builtIn());
  }

  private static List<AgentBackend> backends(AgentSettings settings) {
    return List.of(new CommandBackend((CommandTemplate) settings.described().getFirst()));
  }
}
