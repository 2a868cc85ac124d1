package dev.runyard.runner.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.attempt.Step;
import dev.runyard.core.event.Requester;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunState;
import dev.runyard.runner.RunnerRig;
import dev.runyard.runner.backend.AgentGateway;
import dev.runyard.runner.backend.AgentPrompt;
import dev.runyard.runner.backend.Signals;
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

/// A CLI that is at work when its run is put aside.
final class AsideAttemptsTest {
  private static final String WORD = AgentPrompt.WORK_ON.substring(0, 40);

  /// Works until it is interrupted; where that was done before, it ends its work. Signals, which
  /// follow a second after the interrupt, do not keep it from saying how it ended.
  private static final String WORKING =
      """
      trap '' TERM
      printf '%s\\n' "$heard" >> "$PROGRAM/heard"
      echo begun >> notes
      init
      if test -e "$PROGRAM/interrupted"; then
        cp notes "$PROGRAM/result"
        result
      else
        hear
        : > "$PROGRAM/interrupted"
        echo '{"type":"result","subtype":"error_during_execution","is_error":false}'
      fi
      cat > last
      """;

  @TempDir private Path directory;
  private RunnerRig rig;
  private Path program;
  private FakeClaude claude;

  @BeforeEach
  void open() throws IOException {
    rig = new RunnerRig(directory.resolve("runner"));
    program = Files.createDirectory(directory.resolve("program"));
    claude = FakeClaude.conversing(program, WORKING);
  }

  @Test
  void goesOnWhereItWasWithItsFilesAndItsConversation() throws Exception {
    RunKey run = rig.submit("claude_code", Map.of());
    CompletableFuture<Step.Verdict> first = work();
    Signals.until(() -> rig.types(run).contains("session.updated"));
    rig.want(run, new RunCommand.PutAside("later", Requester.of("key:k1")));

    assertEquals(Step.Verdict.ENDED, first.get());
    rig.advance(run);
    assertEquals("paused", assertInstanceOf(RunState.Paused.class, rig.state(run)).phase());
    assertEquals("task.paused", rig.types(run).getLast());
    try (var left = Files.list(directory.resolve("runner").resolve("workspaces"))) {
      assertEquals(List.of(), left.toList());
    }

    rig.want(run, new RunCommand.GoOn(Requester.of("key:k1")));
    rig.advance(run);
    assertEquals(Step.Verdict.ENDED, work().get());
    rig.advance(run);

    assertInstanceOf(RunState.Completed.class, rig.state(run));
    assertEquals(List.of("begun", "begun"), Files.readAllLines(program.resolve("result")));
    List<String> heard = Files.readAllLines(program.resolve("heard"));
    assertEquals(2, heard.size());
    assertTrue(heard.getLast().contains(WORD), heard::getLast);
  }

  private CompletableFuture<Step.Verdict> work() throws IOException {
    Attempts attempts =
        rig.impatient(
            new AgentGateway(List.of(new ClaudeBackend())),
            claude.settings(Map.of()),
            Map.of("PATH", "/usr/bin:/bin"),
            rig.artifacts);
    return rig.working(attempts, TestPatience.LONG);
  }
}
