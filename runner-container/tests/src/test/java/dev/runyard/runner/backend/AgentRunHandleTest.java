package dev.runyard.runner.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.core.agent.Grants;
import dev.runyard.core.agent.StandardExtensions;
import dev.runyard.core.attempt.AgentSignal;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Attempt;
import dev.runyard.runner.backend.codex.CodexBackend;
import dev.runyard.runner.backend.codex.FakeCodex;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a consumer of a run may rely on, whatever its backend does.
final class AgentRunHandleTest {
  private static final Failure BROKE = Failure.backend("agent_failed", "It broke.");
  private static final RunEvent ERROR = new RunEvent.RuntimeError("agent_failed", "It broke.");

  @TempDir private Path directory;
  private final AgentOutput output = new AgentOutput(EventShaper.bare());
  private final AgentRun run = new AgentRun(output, AgentControl.withoutInput(output, () -> {}));

  @Test
  void reportsAFailureAsOneErrorWithItsMessage() throws InterruptedException {
    output.tell(new RunEvent.ModelDelta("half"));
    output.end(ended(Optional.of(BROKE)));

    assertEquals(List.of(new RunEvent.ModelDelta("half"), ERROR), Signals.of(run).events());
  }

  @Test
  void reportsNoErrorTwice() throws InterruptedException {
    output.tell(ERROR);
    output.end(ended(Optional.of(BROKE)));

    assertEquals(List.of(ERROR), Signals.of(run).events());
  }

  @Test
  void reportsNoErrorOfAnAgentThatWasAskedToEnd() {
    run.stop();
    output.end(ended(Optional.of(BROKE)));

    assertEquals(List.of(), Signals.of(run).events());
  }

  @Test
  void reportsWhyAnAgentCouldNotBeStarted() {
    assertEquals(List.of(ERROR), Signals.of(AgentRun.failed(BROKE)).events());
  }

  @Test
  void reportsTheSessionOnce() throws InterruptedException {
    output.tell(new RunEvent.SessionUpdated("s-1"));
    output.tell(new RunEvent.SessionUpdated("s-1"));
    output.tell(new RunEvent.SessionUpdated("s-2"));
    output.end(ended(Optional.empty()));

    assertEquals(List.of(new RunEvent.SessionUpdated("s-1")), Signals.of(run).events());
  }

  @Test
  void leavesOutASessionWhoseIdIsTooLong() throws InterruptedException {
    output.tell(new RunEvent.SessionUpdated("é".repeat(513)));
    output.end(ended(Optional.empty()));

    assertEquals(
        List.of(
            new RunEvent.RuntimeWarning(
                "session_handle_omitted", "session handle omitted: id exceeds 1024 bytes")),
        Signals.of(run).events());
  }

  @Test
  void endsOnceAndAfterEveryEvent() throws InterruptedException {
    output.tell(new RunEvent.ModelDelta("a"));
    output.end(ended(Optional.empty()));
    output.end(ended(Optional.of(BROKE)));
    output.tell(new RunEvent.ModelDelta("late"));

    List<AgentSignal> signals = run.take(100);

    assertEquals(2, signals.size());
    assertEquals(
        Optional.empty(), assertInstanceOf(AgentSignal.Ended.class, signals.getLast()).failure());
    assertEquals(List.of(), run.take(100));
  }

  @Test
  void saysThatProcessesWereLeft() {
    assertEquals(
        new RunEvent.RuntimeWarning(
            "processes_left", "2 processes of the agent could not be ended."),
        CliRun.processesLeft(2));
  }

  @Test
  void warnsOfAnExternalSandboxBeforeAnythingElse() throws Exception {
    FakeCodex fake =
        FakeCodex.running(
            directory, "echo '{\"type\":\"thread.started\",\"thread_id\":\"t-1\"}'; exit 0");
    AgentSettings.Agent settings =
        new AgentSettings.Agent(
            fake.program().toString(),
            List.of(),
            Map.of(),
            null,
            null,
            null,
            Grants.of(Set.of(Capabilities.EXTERNAL_SANDBOX)));

    for (boolean asked : List.of(true, false)) {
      List<RunEvent> told = told(settings, asked);
      long warnings =
          told.stream()
              .filter(
                  new RunEvent.RuntimeWarning(
                          "external_sandbox", StandardExtensions.EXTERNAL_SANDBOX_WARNING)
                      ::equals)
              .count();
      assertEquals(asked ? 1 : 0, warnings);
      assertEquals(asked ? 1 : 0, told.indexOf(new RunEvent.SessionUpdated("t-1")));
    }
  }

  private List<RunEvent> told(AgentSettings.Agent settings, boolean asked) throws Exception {
    Path home = Files.createTempDirectory(directory, "home");
    AgentGateway.Result result =
        new AgentGateway(List.of(new CodexBackend()))
            .run(
                Requests.request(
                    AgentCatalog.CODEX.name(),
                    "Do it",
                    Map.of(
                        Capabilities.EXTERNAL_SANDBOX, JsonNodeFactory.instance.booleanNode(asked)),
                    directory),
                Requests.context(home, settings));
    return Signals.of(assertInstanceOf(AgentGateway.Result.Started.class, result).run()).events();
  }

  private static AgentSignal.Ended ended(Optional<Failure> failure) {
    return new AgentSignal.Ended(Optional.of(new Attempt.Exit(0, null)), 1, failure, 0);
  }
}
