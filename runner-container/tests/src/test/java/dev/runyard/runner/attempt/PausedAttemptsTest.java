package dev.runyard.runner.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.core.attempt.Step;
import dev.runyard.core.change.ChangedFile;
import dev.runyard.core.change.KeptChange;
import dev.runyard.core.change.KeptChanges;
import dev.runyard.core.change.LeftOut;
import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.WorkspaceRequest;
import dev.runyard.core.request.WorkspaceSource;
import dev.runyard.core.run.RunState;
import dev.runyard.runner.RunnerRig;
import dev.runyard.runner.backend.AgentGateway;
import dev.runyard.runner.backend.Signals;
import dev.runyard.runner.backend.claude.ClaudeBackend;
import dev.runyard.runner.backend.claude.FakeClaude;
import dev.runyard.runner.paused.FailingStore;
import dev.runyard.testkit.git.GitServer;
import dev.runyard.testkit.git.Repository;
import dev.runyard.testkit.threads.TestPatience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A CLI whose run waits for a person for longer than it may keep its place.
final class PausedAttemptsTest {

  /// Writes a file, stores a conversation and asks; when resumed it asks the same again, and acts
  /// once it may.
  private static final String ASKING =
      """
      init
      echo begun >> notes; chmod 750 notes
      test ! -e "$PROGRAM/leave" || . "$PROGRAM/leave"
      echo '{"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{"command":"touch '$PWD'/done"}}}'
      hear
      case $heard in *allow*) echo did >> notes ;; esac
      cp notes "$PROGRAM/result"; pwd > "$PROGRAM/where"
      result
      while hear; do
        printf '%s\n' "$heard" >> "$PROGRAM/more"
        echo "$heard" | sed 's/"type":"user"/"type":"user","isReplay":true/'
        result
      done
      """;

  private static final Map<String, JsonNode> MAY_ASK =
      Map.of(Capabilities.NON_INTERACTIVE, JsonNodeFactory.instance.booleanNode(false));

  @TempDir private Path directory;
  private RunnerRig rig;
  private FailingStore store;
  private Path program;
  private FakeClaude claude;
  private String secretFor = "";

  @BeforeEach
  void open() throws IOException {
    rig = new RunnerRig(directory.resolve("runner"));
    store = new FailingStore(rig.artifacts);
    program = Files.createDirectory(directory.resolve("program"));
    claude = FakeClaude.conversing(program, ASKING);
  }

  @Test
  void givesItsPlaceUpAndContinuesWhereItStopped() throws Exception {
    RunKey run = paused();
    assertEquals("task.paused", rig.types(run).getLast());
    assertTrue(rig.artifacts.keys().stream().anyMatch(key -> key.endsWith("/1.json")));
    assertEquals(List.of(), left("workspaces"));

    rig.decide(run, ActionDecision.APPROVE);
    rig.advance(run);
    assertEquals(Step.Verdict.ENDED, work().get());
    rig.advance(run);

    assertInstanceOf(RunState.Completed.class, rig.state(run));
    assertEquals(List.of("begun", "begun", "did"), Files.readAllLines(program.resolve("result")));
    assertEquals(1, count(run, "action.required"));
    assertEquals(1, count(run, "process.input"));
    assertEquals(2, count(run, "task.attempt.started"));
    assertFalse(rig.artifacts.keys().stream().anyMatch(key -> key.contains("/1/")));
  }

  @Test
  void handsOverWhatWasSentInTheMeantime() throws Exception {
    RunKey run = paused();
    rig.say(run, "m-1", "and quickly");
    rig.decide(run, ActionDecision.DENY);
    rig.advance(run);

    assertEquals(Step.Verdict.ENDED, work().get());

    assertEquals(List.of("begun", "begun"), Files.readAllLines(program.resolve("result")));
    assertEquals(2, count(run, "process.input"));
    assertTrue(Files.readString(program.resolve("more")).contains("and quickly"));
  }

  @Test
  void isCancelledWithoutAnAgentWhileItIsPaused() throws Exception {
    RunKey run = paused();
    int attempts = count(run, "task.attempt.started");

    rig.cancel(run);
    rig.advance(run);

    assertInstanceOf(RunState.Cancelled.class, rig.state(run));
    assertEquals(attempts, count(run, "task.attempt.started"));
  }

  @Test
  void holdsItsPlaceWhileTheStoreDoesNotAnswer() throws Exception {
    store.fail(key -> key.contains("/workspaces/") && !key.contains("/sessions/"));

    RunKey run = submit();
    CompletableFuture<Step.Verdict> attempt = work();
    Signals.until(() -> store.failures() > 0);
    rig.decide(run, ActionDecision.APPROVE);
    assertEquals(Step.Verdict.ENDED, attempt.get());
    rig.advance(run);

    assertInstanceOf(RunState.Completed.class, rig.state(run));
    assertEquals(1, count(run, "task.attempt.started"));
  }

  @Test
  void failsWhenItsFilesCouldNotBeKeptAfterAll() throws Exception {
    store.fail(key -> key.contains("/workspaces/") && !key.endsWith(".json"));
    RunKey run = submit();
    assertEquals(Step.Verdict.ENDED, work().get());
    rig.advance(run);

    assertEquals(Failure.WORKSPACE_NOT_KEPT, failure(run).code());
    assertEquals(0, count(run, "task.paused"));
  }

  @Test
  void isLostWhereItsFilesWentWithItsRunner() throws Exception {
    RunKey run = paused();
    for (String key : rig.artifacts.keys()) {
      if (key.contains("/workspaces/")) {
        rig.artifacts.delete(key);
      }
    }
    rig.decide(run, ActionDecision.APPROVE);
    rig.advance(run);
    assertEquals(Step.Verdict.ENDED, work().get());
    rig.advance(run);

    assertInstanceOf(RunState.Failed.class, rig.state(run));
    assertEquals(WorkspaceRestorer.LOST, failure(run));
    assertEquals(1, count(run, "task.lost"));
    assertFalse(Files.exists(program.resolve("result")), "no agent went on");
  }

  @Test
  void continuesWithTheFilesOfItsRepositoryAndItsBase() throws Exception {
    Path served = directory.resolve("served");
    try (GitServer server = new GitServer(served)) {
      Repository repository = Repository.create(served.resolve("shop"));
      repository.commit("notes", "committed\n");
      RunKey run =
          paused(
              rig.submit(
                  "claude_code",
                  MAY_ASK,
                  WorkspaceRequest.of(
                      WorkspaceSource.Git.of(server.url("shop"), null),
                      List.of("echo made >> notes"),
                      60,
                      List.of(),
                      false)));
      repository.commit("notes", "newer\n");

      rig.decide(run, ActionDecision.APPROVE);
      rig.advance(run);
      assertEquals(Step.Verdict.ENDED, work().get());

      assertEquals(
          List.of("committed", "made", "begun", "begun", "did"),
          Files.readAllLines(program.resolve("result")));
      assertEquals(1, count(run, "hook.completed"));
      assertEquals(2, count(run, "context.resolved"));
    }
  }

  /// The session's next run would otherwise begin with what was there before, and nobody would
  /// know.
  @Test
  void leavesItsFilesWhereItsRepositoryCannotBeFetchedAgain() throws Exception {
    Path served = directory.resolve("served");
    RunKey run;
    try (GitServer server = new GitServer(served)) {
      Repository repository = Repository.create(served.resolve("shop"));
      repository.commit("notes", "committed\n");
      run = paused(submit(WorkspaceSource.Git.of(server.url("shop"), null)));
    }
    rig.decide(run, ActionDecision.APPROVE);
    rig.advance(run);
    assertEquals(Step.Verdict.ENDED, work().get());
    rig.advance(run);
    assertEquals(1, count(run, "runtime.warning"));

    RunKey next = paused(submit(new WorkspaceSource.Session()));
    rig.decide(next, ActionDecision.APPROVE);
    rig.advance(next);
    assertEquals(Step.Verdict.ENDED, work().get());

    assertEquals(
        List.of("committed", "begun", "begun", "did", "begun", "begun", "did"),
        Files.readAllLines(program.resolve("result")));
  }

  @Test
  void continuesWithItsOwnFilesAndTellsThemFromThoseOfItsSession() throws Exception {
    RunKey first = paused(submit(new WorkspaceSource.None()));
    rig.decide(first, ActionDecision.APPROVE);
    rig.advance(first);
    assertEquals(Step.Verdict.ENDED, work().get());
    rig.advance(first);

    RunKey run = paused(submit(new WorkspaceSource.Session()));
    rig.decide(run, ActionDecision.APPROVE);
    rig.advance(run);
    assertEquals(Step.Verdict.ENDED, work().get());

    assertEquals(
        List.of("begun", "begun", "did", "begun", "begun", "did"),
        Files.readAllLines(program.resolve("result")));
    KeptChange change = new KeptChanges(rig.artifacts).find(run).orElseThrow();
    assertEquals(ChangedFile.Kind.MODIFIED, change.files().getFirst().kind());
    assertEquals(3, change.linesAdded());
  }

  @Test
  void tellsNobodyOfAFileThatLostASecretWhileItWaited() throws Exception {
    Files.writeString(
        program.resolve("leave"),
        "test -e stolen && cp stolen copy || printf 'x canary-of-%s y' the-key > stolen\n");
    Path served = directory.resolve("served");
    try (GitServer server = new GitServer(served)) {
      Repository.create(served.resolve("shop")).commit("a", "1\n");
      server.wants("x-access-token:canary-of-the-key");
      secretFor = server.host();
      RunKey run =
          paused(
              submit(
                  new WorkspaceSource.Git(
                      server.url("shop"), null, 1, List.of(), false, false, "GIT")));
      rig.decide(run, ActionDecision.APPROVE);
      rig.advance(run);
      assertEquals(Step.Verdict.ENDED, work().get());

      KeptChange change = new KeptChanges(rig.artifacts).find(run).orElseThrow();
      assertEquals(List.of("notes"), change.files().stream().map(ChangedFile::path).toList());
      assertEquals(
          List.of(
              new LeftOut("copy", LeftOut.Reason.SECRET),
              new LeftOut("stolen", LeftOut.Reason.SECRET)),
          change.leftOut());
    }
  }

  @Test
  void hasTheStoreKeepWhatItBeganWithForAsLongAsItWaits() throws Exception {
    RunKey first = paused(submit(new WorkspaceSource.None()));
    rig.decide(first, ActionDecision.APPROVE);
    rig.advance(first);
    assertEquals(Step.Verdict.ENDED, work().get());
    Set<String> began = new TreeSet<>(rig.artifacts.keys());
    began.removeIf(key -> !key.matches(".*(/last.json|/left.json|/lists/.*|/changes/.*)"));
    RunKey run = submit(new WorkspaceSource.Session());
    store.put();

    paused(run);

    Set<String> put = store.put();
    began.removeAll(put);
    assertEquals(Set.of(), began);
  }

  @Test
  void continuesWhereWhatItBeganWithIsGone() throws Exception {
    RunKey first = paused(submit(new WorkspaceSource.None()));
    rig.decide(first, ActionDecision.APPROVE);
    rig.advance(first);
    assertEquals(Step.Verdict.ENDED, work().get());
    rig.advance(first);
    RunKey run = paused(submit(new WorkspaceSource.Session()));
    rig.artifacts.keys().stream()
        .filter(key -> key.contains("/workspaces/sessions/"))
        .forEach(rig.artifacts::delete);

    rig.decide(run, ActionDecision.APPROVE);
    rig.advance(run);
    assertEquals(Step.Verdict.ENDED, work().get());
    rig.advance(run);

    assertInstanceOf(RunState.Completed.class, rig.state(run));
    assertEquals(6, Files.readAllLines(program.resolve("result")).size());
    assertEquals(1, count(run, "runtime.warning"));
  }

  private RunKey submit(WorkspaceSource source) {
    return rig.submit("claude_code", MAY_ASK, WorkspaceRequest.of(source));
  }

  private RunKey paused() throws Exception {
    return paused(submit());
  }

  private RunKey paused(RunKey run) throws Exception {
    assertEquals(Step.Verdict.ENDED, work().get());
    rig.advance(run);
    assertInstanceOf(RunState.Paused.class, rig.state(run));
    return run;
  }

  private RunKey submit() {
    return rig.submit("claude_code", MAY_ASK);
  }

  private Failure failure(RunKey run) {
    return assertInstanceOf(RunState.Failed.class, rig.state(run)).error();
  }

  private int count(RunKey run, String type) {
    return (int) rig.types(run).stream().filter(type::equals).count();
  }

  private List<Path> left(String folder) throws IOException {
    try (var paths = Files.list(directory.resolve("runner").resolve(folder))) {
      return paths.toList();
    }
  }

  private CompletableFuture<Step.Verdict> work() throws IOException {
    Map<String, Object> granted =
        secretFor.isEmpty()
            ? Map.of()
            : Map.of("secrets", Map.of("GIT", "env:GIT_TOKEN"), "git_hosts", List.of(secretFor));
    Attempts attempts =
        rig.impatient(
            new AgentGateway(List.of(new ClaudeBackend())),
            claude.settings(granted),
            Map.of("PATH", "/usr/bin:/bin", "GIT_TOKEN", "canary-of-the-key"),
            store);
    return rig.working(attempts, TestPatience.LONG);
  }
}
