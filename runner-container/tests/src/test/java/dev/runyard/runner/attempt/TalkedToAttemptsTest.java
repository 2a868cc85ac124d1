package dev.runyard.runner.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.core.attempt.Step;
import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.run.RunState;
import dev.runyard.runner.RunnerRig;
import dev.runyard.runner.backend.AgentGateway;
import dev.runyard.runner.backend.claude.ClaudeBackend;
import dev.runyard.runner.backend.claude.FakeClaude;
import dev.runyard.testkit.threads.TestPatience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// An interactive CLI, with its run's log on the other side.
final class TalkedToAttemptsTest {

  @TempDir private Path directory;
  private RunnerRig rig;
  private Path program;

  @BeforeEach
  void open() throws IOException {
    rig = new RunnerRig(directory.resolve("runner"));
    program = Files.createDirectory(directory.resolve("program"));
  }

  @Test
  void waitsForAPermissionAndWritesBeforeItGivesIt() throws Exception {
    FakeClaude claude = FakeClaude.playing(program, "shell");
    RunKey run = submit(false);
    CompletableFuture<Step.Verdict> attempt = work(claude);
    rig.untilLogged(run, "task.waiting");
    assertTrue(assertInstanceOf(RunState.InProgress.class, rig.state(run)).awaiting());

    rig.decide(run, ActionDecision.APPROVE);
    assertEquals(Step.Verdict.ENDED, attempt.get());
    rig.advance(run);

    assertInstanceOf(RunState.Completed.class, rig.state(run));
    List<String> types = rig.types(run);
    assertTrue(types.indexOf("action.resolved") < types.indexOf("process.input"));
    assertTrue(types.indexOf("process.input") < types.indexOf("tool.result"));
    assertEquals("The note is written.", text(run));
  }

  @Test
  void handsOverAMessageOnce() throws Exception {
    FakeClaude claude =
        FakeClaude.running(
            program,
            """
        hear
        init
        echo "$heard" | sed 's/"type":"user"/"type":"user","isReplay":true/'
        hear
        echo "$heard" | sed 's/"type":"user"/"type":"user","isReplay":true/'
        result
        hear
        """);
    RunKey run = submit(true);
    CompletableFuture<Step.Verdict> attempt = work(claude);

    rig.say(run, "m-1", "and quickly");

    assertEquals(Step.Verdict.ENDED, attempt.get());
    assertEquals(1, rig.types(run).stream().filter("process.input"::equals).count());
  }

  @Test
  void isCancelledWhileItWorks() throws Exception {
    FakeClaude claude = FakeClaude.running(program, "hear; init; hear; sleep 1000000");
    RunKey run = submit(true);
    CompletableFuture<Step.Verdict> attempt = work(claude);
    rig.untilLogged(run, "session.updated");

    rig.cancel(run);
    assertEquals(Step.Verdict.ENDED, attempt.get());

    rig.advance(run);
    assertInstanceOf(RunState.Cancelled.class, rig.state(run));
  }

  @Test
  void isCancelledWhileItWaitsForAPerson() throws Exception {
    FakeClaude claude = FakeClaude.playing(program, "shell");
    RunKey run = submit(false);
    CompletableFuture<Step.Verdict> attempt = work(claude);
    rig.untilLogged(run, "task.waiting");

    rig.cancel(run);
    assertEquals(Step.Verdict.ENDED, attempt.get());

    rig.advance(run);
    assertInstanceOf(RunState.Cancelled.class, rig.state(run));
  }

  private RunKey submit(boolean alone) {
    return rig.submit(
        "claude_code",
        Map.of(Capabilities.NON_INTERACTIVE, JsonNodeFactory.instance.booleanNode(alone)));
  }

  private CompletableFuture<Step.Verdict> work(FakeClaude claude) throws IOException {
    Attempts attempts =
        rig.attempts(
            new AgentGateway(List.of(new ClaudeBackend())),
            claude.settings(Map.of()),
            Map.of("PATH", "/usr/bin:/bin"));
    return rig.working(attempts, TestPatience.LONG);
  }

  private String text(RunKey run) {
    StringBuilder text = new StringBuilder();
    for (StoredEvent stored : rig.events(run)) {
      if (stored.event() instanceof RunEvent.ModelDelta delta) {
        text.append(delta.text());
      }
    }
    return text.toString();
  }
}
