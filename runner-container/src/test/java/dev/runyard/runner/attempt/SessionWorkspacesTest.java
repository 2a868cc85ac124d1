package dev.runyard.runner.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.attempt.Step;
import dev.runyard.core.change.ChangedFile;
import dev.runyard.core.change.KeptChange;
import dev.runyard.core.change.KeptChanges;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.WorkspaceNotice;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.WorkspaceRequest;
import dev.runyard.core.request.WorkspaceSource;
import dev.runyard.runner.RunnerRig;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What the runs of a session leave for each other.
@Timeout(60)
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
    CompletableFuture<Step.Verdict> working =
        rig.runner.working(rig.attempts(), Duration.ofSeconds(20));
    while (!Files.exists(begun)) {
      Thread.onSpinWait();
    }
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

  private String patch(RunKey run) {
    KeptChange kept = kept(run);
    return new String(
        new KeptChanges(rig.runner.artifacts)
            .content(run, kept, Objects.requireNonNull(kept.patch()))
            .orElseThrow(),
        StandardCharsets.UTF_8);
  }
}
