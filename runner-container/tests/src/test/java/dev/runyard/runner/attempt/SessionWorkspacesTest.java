package dev.runyard.runner.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.attempt.Step;
import dev.runyard.core.change.ChangedFile;
import dev.runyard.core.change.KeptChange;
import dev.runyard.core.change.KeptChanges;
import dev.runyard.core.change.KeptObject;
import dev.runyard.core.change.LeftOut;
import dev.runyard.core.change.WholeChange;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.WorkspaceNotice;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.WorkspaceRequest;
import dev.runyard.core.request.WorkspaceSource;
import dev.runyard.runner.RunnerRig;
import dev.runyard.runner.backend.Signals;
import dev.runyard.testkit.threads.TestPatience;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// What the runs of a session leave for each other.
@Execution(ExecutionMode.CONCURRENT)
final class SessionWorkspacesTest {
  @TempDir private Path directory;
  private WorkspaceRig rig;

  @BeforeEach
  void open() throws Exception {
    Path work = Files.createDirectories(directory.toRealPath().resolve("work"));
    rig = new WorkspaceRig(directory, work, new RunnerRig(work));
  }

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void beginsWithTheFilesOfTheSessionsLastRun() throws Exception {
    ended("echo one > a; mkdir -p 'b c/d'; ln -s a link; chmod 700 a", none());

    RunKey next = ended("cat a; readlink link; stat -c %a a; find . -type d | sort", null);

    assertEquals("one\na\n700\n.\n./b c\n./b c/d", rig.said(next));
    WorkspaceNotice.ContextResolved told = resolved(next);
    assertEquals("session", told.source());
    assertEquals(1, told.files());
    assertEquals(4, told.bytes());
    assertEquals(List.of(), rig.left());
  }

  @Test
  void beginsWithWhatARunLeftThatFailed() throws Exception {
    ended("echo one > a; exit 3", none());

    assertEquals("one", rig.said(ended("cat a", null)));
  }

  @Test
  void beginsWithWhatARunLeftThatWasCancelled() throws Exception {
    Path begun = directory.resolve("begun");
    RunKey run = rig.submit("echo one > a; touch %s; sleep 1000".formatted(begun), none());
    CompletableFuture<Step.Verdict> working = rig.runner.working(rig.attempts(), TestPatience.LONG);
    Signals.until(() -> Files.exists(begun));
    rig.runner.cancel(run);
    assertEquals(Step.Verdict.ENDED, working.get());

    assertEquals("one", rig.said(ended("cat a", null)));
  }

  @Test
  void tellsOnlyWhatThisRunChanged() throws Exception {
    rig.repository.commit("a", "1\n");
    ended("echo 2 > b; echo left > ignored.log", git());

    RunKey next = ended("echo 3 >> b", null);

    KeptChange kept = kept(next);
    assertEquals(1, kept.files().size());
    assertEquals("b", kept.files().getFirst().path());
    assertEquals(ChangedFile.Kind.MODIFIED, kept.files().getFirst().kind());
    assertTrue(patch(next).contains(" 2\n+3\n"), patch(next));
  }

  @Test
  void givesTheAgentARepositoryLikeThatOfACheckout() throws Exception {
    String commit = rig.repository.commit("a", "1\n");
    ended(
        "git config alias.hurt '!touch hurt'; git checkout -q -b other; echo 2 >> a; echo n > n",
        git());

    RunKey next =
        ended(
            "git rev-parse HEAD; git branch --show-current; git status --porcelain;"
                + " git config alias.hurt; git remote",
            null);

    assertEquals(commit + "\nmain\n M a\n?? n\norigin", rig.said(next));
    assertEquals(commit, resolved(next).commit());
  }

  @Test
  void fetchesNothingAgain() throws Exception {
    rig.repository.commit("a", "1\n");
    ended("true", git());
    int asked = rig.server.asked().size();

    ended("echo 2 >> a", null);

    assertEquals(asked, rig.server.asked().size());
  }

  @Test
  void beginsEmptyIfTheRequestSaysSo() throws Exception {
    ended("echo one > a", none());

    assertEquals("", rig.said(ended("ls -A", none())));
    assertEquals("", rig.said(ended("ls -A", null)));
  }

  @Test
  void beginsWithTheFilesOfAnotherRun() throws Exception {
    RunKey first = ended("echo one > a", none());
    ended("echo two > a", null);

    RunKey next = ended("cat a", WorkspaceRequest.of(new WorkspaceSource.Run(first.runId())));

    assertEquals("one", rig.said(next));
    assertEquals("run", resolved(next).source());
  }

  @Test
  void failsIfThereAreNoFiles() throws Exception {
    RunKey run = ended("echo began", WorkspaceRequest.of(new WorkspaceSource.Session()));

    assertEquals(Failure.WORKSPACE_NOT_FOUND, rig.failure(run));
    assertEquals("", rig.said(run));
  }

  @Test
  void sendsOnlyWhatHasChanged() throws Exception {
    ended("head -c 1000000 /dev/urandom > large; echo 1 > small", none());
    Set<String> before = rig.runner.artifacts.keys();

    ended("echo 2 > small", null);

    Set<String> added = new TreeSet<>(rig.runner.artifacts.keys());
    added.removeAll(before);
    assertTrue(
        added.stream()
                .filter(key -> key.contains("/packs/"))
                .mapToInt(key -> rig.runner.artifacts.get(key).orElseThrow().length)
                .sum()
            < 1_000);
  }

  @Test
  void keepsNoSecret() throws Exception {
    rig.repository.commit("a", "1\n");
    rig.server.wants("x-access-token:" + WorkspaceRig.SECRET);
    ended("printf 'canary-of-%s' the-credential > stolen", WorkspaceRequest.of(rig.withSecret()));

    RunKey next = ended("cat stolen", null);

    assertFalse(rig.said(next).contains("canary"));
    assertEquals(
        List.of(WorkspaceRestorer.REDACTED),
        rig.events(next, RunEvent.RuntimeWarning.class).stream()
            .map(RunEvent.RuntimeWarning::code)
            .toList());
  }

  @Test
  void tellsWhatAllRunsOfACheckoutChangedTogether() throws Exception {
    String commit = rig.repository.commit("a", "1\n");
    RunKey first = ended("echo 2 > b; echo gone > c; chmod 700 a", git());
    RunKey second = ended("rm c; mkdir d; echo 3 > d/e; echo 4 >> b", null);
    RunKey third = ended("echo 5 >> d/e", null);

    WholeChange whole = Objects.requireNonNull(kept(third).whole());
    assertEquals(commit, whole.commit());
    assertEquals("main", whole.ref());
    assertEquals(rig.server.url("shop"), whole.url());
    assertEquals(List.of(first.runId(), second.runId(), third.runId()), whole.runs());
    assertEquals(3, whole.files());
    String patch = content(third, Objects.requireNonNull(whole.patch()));
    rig.repository.git("checkout", "-q", commit);
    Path file = Files.writeString(directory.resolve("whole"), patch);
    rig.repository.git("apply", "--index", file.toString());
    assertEquals(
        "M\ta\nA\tb\nA\td/e", rig.repository.git("diff", "--cached", "--name-status", commit));
    assertEquals("2\n4", rig.repository.git("show", ":b"));
    assertEquals("3\n5", rig.repository.git("show", ":d/e"));
  }

  @Test
  void tellsWhatAllRunsMadeOfNothingTogether() throws Exception {
    ended("echo one > a", none());
    ended("echo two > b", null);
    RunKey third = ended("echo three >> a", null);

    WholeChange whole = Objects.requireNonNull(kept(third).whole());
    assertEquals(2, whole.files());
    String patch = content(third, Objects.requireNonNull(whole.patch()));
    assertTrue(patch.contains("+one\n+three\n") && patch.contains("+two\n"), patch);
  }

  /// As an earlier version kept it for a run of a session.
  @Test
  void tellsNothingTogetherWithAChangeOfOtherFiles() throws Exception {
    rig.repository.commit("a", "1\n");
    RunKey first = ended("echo 2 > b", git());
    KeptChange change = kept(first);
    new KeptChanges(rig.runner.artifacts)
        .name(
            first,
            new KeptChange(
                change.attempt(),
                change.attemptId(),
                "another",
                change.files(),
                change.filesTotal(),
                change.linesAdded(),
                change.linesRemoved(),
                change.patch(),
                null,
                List.of(),
                List.of(),
                0,
                null));

    RunKey next = ended("echo 3 > c", null);

    assertEquals(List.of("c"), paths(next));
    assertNull(Objects.requireNonNull(kept(next).whole()).patch());
  }

  @Test
  void showsNoFileThatOnlyLostTheRuleThatIgnoredIt() throws Exception {
    rig.repository.commit(".gitignore", "*.log\n");
    ended("echo 1 > x.log; rm .gitignore", git());

    RunKey next = ended("echo 2 > b", null);

    assertEquals(List.of("b"), paths(next));
    assertEquals(2, Objects.requireNonNull(kept(next).whole()).files());
  }

  @Test
  void keepsToTheRulesThatAnEarlierRunWrote() throws Exception {
    rig.repository.commit("a", "1\n");
    ended("echo deps/ > .gitignore; mkdir own; echo '*' > own/.gitignore", git());

    RunKey second = ended("mkdir deps; echo 1 > deps/x; echo 1 > own/y", null);
    RunKey third = ended("echo 2 > deps/x; echo 2 > own/y; echo 2 > b", null);

    assertEquals(List.of(), paths(second));
    assertEquals(List.of("b"), paths(third));
  }

  @Test
  void goesOnTellingAFileThatWasToldBeforeItWasIgnored() throws Exception {
    rig.repository.commit("a", "1\n");
    ended("echo local > .gitignore; echo 1 > local", git());

    RunKey next = ended("echo 2 > local", null);

    assertEquals(List.of("local"), paths(next));
    assertTrue(
        content(next, Objects.requireNonNull(Objects.requireNonNull(kept(next).whole()).patch()))
            .contains("+2\n"));
  }

  @Test
  void tellsNobodyOfAFileThatHasLostASecret() throws Exception {
    rig.repository.commit("a", "1\n");
    rig.server.wants("x-access-token:" + WorkspaceRig.SECRET);
    ended(
        "printf 'x canary-of-%s y' the-credential > stolen; cp stolen a",
        WorkspaceRequest.of(rig.withSecret()));

    RunKey second = ended("cp stolen copy; chmod 700 stolen; echo more >> a; echo 3 > b", null);
    RunKey third = ended("echo 4 >> stolen; echo 4 > b", null);

    for (RunKey run : List.of(second, third)) {
      assertEquals(List.of("b"), paths(run));
      assertTrue(
          kept(run)
              .leftOut()
              .containsAll(
                  List.of(
                      new LeftOut("a", LeftOut.Reason.SECRET),
                      new LeftOut("stolen", LeftOut.Reason.SECRET))));
      String whole =
          content(run, Objects.requireNonNull(Objects.requireNonNull(kept(run).whole()).patch()));
      assertFalse(whole.contains("*") || whole.contains("stolen") || whole.contains("a/a"), whole);
    }
    assertTrue(kept(second).leftOut().contains(new LeftOut("copy", LeftOut.Reason.SECRET)));
  }

  @Test
  void keepsNothingOfARunWithoutAWorkspace() throws Exception {
    ended("echo one > a", null);

    assertEquals(Set.of(), rig.runner.artifacts.keys());
  }

  private RunKey ended(String script, @Nullable WorkspaceRequest workspace)
      throws InterruptedException {
    RunKey run = rig.submit(script, workspace);
    rig.work();
    return run;
  }

  private static WorkspaceRequest none() {
    return WorkspaceRequest.of(new WorkspaceSource.None());
  }

  private WorkspaceRequest git() {
    return WorkspaceRequest.of(rig.source());
  }

  private WorkspaceNotice.ContextResolved resolved(RunKey run) {
    return rig.events(run, WorkspaceNotice.ContextResolved.class).getFirst();
  }

  private KeptChange kept(RunKey run) {
    return new KeptChanges(rig.runner.artifacts).find(run).orElseThrow();
  }

  private List<String> paths(RunKey run) {
    return kept(run).files().stream().map(ChangedFile::path).toList();
  }

  private String patch(RunKey run) {
    return content(run, Objects.requireNonNull(kept(run).patch()));
  }

  private String content(RunKey run, KeptObject object) {
    return new String(
        new KeptChanges(rig.runner.artifacts).content(run, kept(run), object).orElseThrow(),
        StandardCharsets.UTF_8);
  }
}
