package dev.runyard.runner.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.attempt.Step;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.SnapshotUpdated;
import dev.runyard.core.event.WorkspaceNotice;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.WorkspaceRequest;
import dev.runyard.core.request.WorkspaceSource;
import dev.runyard.runner.RunnerRig;
import dev.runyard.runner.backend.Signals;
import dev.runyard.runner.process.ProcessTree;
import dev.runyard.runner.process.RunMark;
import dev.runyard.testkit.threads.TestPatience;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Attempts at runs that bring a workspace.
final class WorkspaceAttemptsTest {
  @TempDir private Path directory;
  private WorkspaceRig rig;
  private Path work;

  @BeforeEach
  void open() throws Exception {
    work = Files.createDirectories(directory.toRealPath().resolve("work"));
    rig = new WorkspaceRig(directory, work, new RunnerRig(work));
  }

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void startsTheAgentWithTheFilesOfTheRepositoryMadeReady() throws Exception {
    String commit = rig.repository.commit("src/a", "from the repository\n");
    RunKey run =
        rig.submit(
            "cat src/a made; git log --format=%s; git status --porcelain",
            rig.setup(60, "echo made by $WISH > made; echo told; echo complained >&2", "true"));

    rig.work();

    assertEquals("from the repository\nmade by granted\nmore\n?? made", rig.said(run));
    List<String> types = rig.runner.types(run);
    assertEquals(
        List.of("process.started", "context.resolved", "hook.completed", "hook.completed"),
        types.subList(types.indexOf("process.started"), types.indexOf("model.delta")));
    WorkspaceNotice.ContextResolved resolved =
        rig.events(run, WorkspaceNotice.ContextResolved.class).getFirst();
    assertEquals(commit, resolved.commit());
    assertEquals(rig.server.url("shop"), resolved.url());
    WorkspaceNotice.HookCompleted first =
        rig.events(run, WorkspaceNotice.HookCompleted.class).getFirst();
    assertEquals("told\ncomplained\n", first.preview());
    assertEquals(0, first.exitCode());
    assertEquals(List.of(), rig.left());
  }

  @Test
  void startsNoAgentAfterACommandThatFails() throws Exception {
    rig.repository.commit("a", "1");
    RunKey run = rig.submit("echo started", rig.setup(60, "echo why; exit 3", "echo second"));

    rig.work();

    assertEquals(Failure.SETUP_FAILED, rig.failure(run));
    assertEquals("", rig.said(run));
    List<WorkspaceNotice.HookCompleted> hooks =
        rig.events(run, WorkspaceNotice.HookCompleted.class);
    assertEquals(1, hooks.size());
    assertEquals(3, hooks.getFirst().exitCode());
    assertEquals("why\n", hooks.getFirst().preview());
    assertEquals(List.of(), rig.left());
  }

  @Test
  void startsNoAgentInAFolderThatACommandPutElsewhere() throws Exception {
    Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
    Files.writeString(elsewhere.resolve("file"), "of somebody else");
    rig.repository.commit("app/file", "own");
    String script = "pwd -P; cat file";
    RunKey run =
        rig.submitIn("app", script, rig.setup(60, "rm -r app; ln -s " + elsewhere + " app"));
    rig.work();

    assertEquals("", rig.said(run));
    assertEquals(
        "The agent could not be started: the path leads out of the workspace.",
        rig.events(run, RunEvent.AttemptFailed.class).getFirst().error().message());
  }

  @Test
  void startsTheAgentInTheFolderToWhichACommandLinked() throws Exception {
    rig.repository.commit("app/file", "own");
    RunKey run =
        rig.submitIn(
            "app", "pwd", rig.setup(60, "mkdir deep; mv app deep/app; ln -s deep/app app"));

    rig.work();

    assertTrue(rig.said(run).strip().endsWith("/deep/app"), rig.said(run));
  }

  @Test
  void endsCommandsThatTakeTooLongWithAllTheyStarted() throws Exception {
    rig.repository.commit("a", "1");
    RunKey run =
        rig.submit(
            "echo started",
            rig.setup(1, "sleep 1000 & echo $! > pid; read x < /dev/zero; sleep 1000"));

    rig.work();

    assertEquals(Failure.SETUP_FAILED, rig.failure(run));
    WorkspaceNotice.HookCompleted hook =
        rig.events(run, WorkspaceNotice.HookCompleted.class).getFirst();
    assertEquals(null, hook.exitCode());
    assertEquals(null, hook.signal());
  }

  @Test
  void showsNoCommandTheAgentsHomeAndNoneTheCredential() throws Exception {
    rig.repository.commit("a", "1");
    rig.server.wants("x-access-token:" + WorkspaceRig.SECRET);
    RunKey run =
        rig.submit(
            "ls -A $HOME; env | grep -c canary; cat .git/config",
            WorkspaceRequest.of(
                rig.withSecret(),
                List.of("mkdir $HOME/.config; env; printf 'canary-of-%s' the-credential"),
                60,
                List.of(),
                false));

    rig.work();

    String said = rig.said(run);
    assertTrue(said.startsWith("tmp\n0\n[core]"), said);
    assertFalse(said.contains("token"), said);
    String printed = rig.events(run, WorkspaceNotice.HookCompleted.class).getFirst().preview();
    assertTrue(printed.contains("[redacted GIT]"), printed);
    assertFalse(rig.runner.events(run).toString().contains(WorkspaceRig.SECRET));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "yes \"$(printf 'canary-of-%s' the-credential)\" | head -n 6000",
        "head -c 16360 /dev/zero | tr '\\0' x; printf 'canary-of-%s' the-credential",
        "head -c 1048570 /dev/zero | tr '\\0' x; printf 'canary-of-%s' the-credential"
      })
  void tellsNoPartOfASecretWhereOutputIsCut(String command) throws Exception {
    rig.repository.commit("a", "1");
    rig.server.wants("x-access-token:" + WorkspaceRig.SECRET);
    RunKey run =
        rig.submit(
            "true", WorkspaceRequest.of(rig.withSecret(), List.of(command), 60, List.of(), false));

    rig.work();

    String printed = rig.events(run, WorkspaceNotice.HookCompleted.class).getFirst().preview();
    assertFalse(printed.contains("canary"));
    assertFalse(printed.contains("credential"));
    assertTrue(printed.contains(Bounds.TRUNCATED));
  }

  @Test
  void failsWithTheReasonWhyThereAreNoFiles() throws Exception {
    RunKey run = rig.submit("echo started", WorkspaceRequest.of(rig.source()));

    rig.work();

    assertEquals(Failure.REF_NOT_FOUND, rig.failure(run));
    assertEquals("", rig.said(run));
    assertEquals(List.of(), rig.left());
  }

  @Test
  void beginsEveryAttemptWithTheSameCommit() throws Exception {
    rig.repository.commit("a", "1");
    RunKey run = rig.submit("cat a; echo changed > a; exit 1", WorkspaceRequest.of(rig.source()));
    rig.work();
    rig.repository.commit("a", "2");

    rig.runner.advance(run);
    rig.work();

    assertEquals("11", rig.said(run));
    List<WorkspaceNotice.ContextResolved> resolved =
        rig.events(run, WorkspaceNotice.ContextResolved.class);
    assertEquals(2, resolved.size());
    assertEquals(resolved.getFirst().commit(), resolved.getLast().commit());
  }

  @Test
  void beginsEmptyWhereNoFilesAreWanted() throws Exception {
    RunKey run =
        rig.submit(
            "ls -A; pwd | grep -c workspaces", WorkspaceRequest.of(new WorkspaceSource.None()));

    rig.work();

    assertEquals("1", rig.said(run));
    assertEquals(
        "none", rig.events(run, WorkspaceNotice.ContextResolved.class).getFirst().source());
  }

  @Test
  void writesNothingMoreForARunWithoutAWorkspace() throws Exception {
    RunKey run = rig.runner.submit("shell", "ls -A", Map.of());

    rig.work();

    assertFalse(Files.exists(work.resolve("checkouts")));
    assertEquals(List.of(), rig.runner.written);
    List<String> types = rig.runner.types(run);
    assertEquals(
        List.of("turn.started", "process.started", "process.completed", "task.attempt.completed"),
        types.subList(types.indexOf("turn.started"), types.size()).stream()
            .filter(type -> !type.equals("run.status"))
            .toList());
  }

  @Test
  void cancelsWhileACommandRuns() throws Exception {
    rig.repository.commit("a", "1");
    Path begun = directory.resolve("begun");
    RunKey run =
        rig.submit(
            "echo started",
            rig.setup(600, "echo kept > made; echo told; touch %s; sleep 1000".formatted(begun)));
    CompletableFuture<Step.Verdict> working = rig.runner.working(rig.attempts(), TestPatience.LONG);
    Signals.until(() -> Files.exists(begun));

    rig.runner.cancel(run);

    assertEquals(Step.Verdict.ENDED, working.get());
    assertEquals(Failure.CANCELLED, rig.failure(run));
    assertEquals(List.of(), rig.events(run, RunEvent.ProcessStarted.class));
    assertEquals(List.of(), rig.events(run, RunEvent.ProcessFailed.class));
    assertEquals(1, rig.events(run, WorkspaceNotice.ContextResolved.class).size());
    assertEquals(
        "told\n", rig.events(run, WorkspaceNotice.HookCompleted.class).getFirst().preview());
    assertEquals(1, rig.events(run, SnapshotUpdated.class).getFirst().files());
    assertEquals(List.of(), rig.left());
    rig.runner.advance(run);
    RunKey next = rig.submit("cat a made", null);
    rig.work();
    assertEquals("1kept", rig.said(next));
  }

  @Test
  void marksItsGitForWhoeverTakesALostRunOver() throws Exception {
    rig.repository.commit("a", "1");
    rig.server.fallsSilent();
    RunKey run = rig.submit("echo started", WorkspaceRequest.of(rig.source()));
    CompletableFuture<Step.Verdict> working = rig.runner.working(rig.attempts(), TestPatience.LONG);
    Signals.until(() -> !rig.server.asked().isEmpty());
    String attempt = rig.events(run, RunEvent.AttemptStarted.class).getFirst().attemptId();

    int found = ProcessTree.sweep(new RunMark(run.runId(), attempt).value()::equals).found();

    assertTrue(found > 0);
    assertEquals(Step.Verdict.ENDED, working.get());
    assertEquals(Failure.CLONE_FAILED, rig.failure(run));
  }

  @Test
  void removesWhatADeadRunnerLeftOfARunThatHasEnded() throws Exception {
    WorkspaceRequest none = WorkspaceRequest.of(new WorkspaceSource.None());
    RunKey run = rig.submit("echo over", none);
    rig.work();
    rig.runner.advance(run);
    Path left = Files.createDirectories(work.resolve("workspaces/" + run.runId() + ".dead"));
    Files.createDirectory(left.resolve("a"));
    rig.submit("echo next", none);

    try (WorkspaceRig next = new WorkspaceRig(directory.resolve("next"), work, rig.runner)) {
      next.work();
    }

    Signals.until(() -> !Files.exists(left));
    Signals.until(() -> !Files.exists(Path.of(left + ".removed")));
  }

  @Test
  void cancelsWhileAServerIsSilent() throws Exception {
    rig.repository.commit("a", "1");
    rig.server.fallsSilent();
    RunKey run = rig.submit("echo started", WorkspaceRequest.of(rig.source()));
    CompletableFuture<Step.Verdict> working = rig.runner.working(rig.attempts(), TestPatience.LONG);
    Signals.until(() -> !rig.server.asked().isEmpty());

    rig.runner.cancel(run);

    assertEquals(Step.Verdict.ENDED, working.get());
    assertEquals(Failure.CANCELLED, rig.failure(run));
    assertEquals(List.of(), rig.left());
  }
}
