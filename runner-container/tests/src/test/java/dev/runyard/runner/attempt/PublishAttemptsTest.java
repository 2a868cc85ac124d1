package dev.runyard.runner.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.PublishNotice;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.PublishRequest;
import dev.runyard.core.request.WorkspaceRequest;
import dev.runyard.core.request.WorkspaceSource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What attempts publish, with a server of repositories and one of pull requests.
@Execution(ExecutionMode.CONCURRENT)
final class PublishAttemptsTest {
  private static final String SCRIPT = "echo 2 > b";

  @TempDir private Path directory;
  private PublishRig rig;

  @BeforeEach
  void open() throws Exception {
    rig = new PublishRig(directory, PublishRig.Kind.GITHUB);
  }

  private void open(PublishRig.Kind kind) throws Exception {
    rig.close();
    rig = new PublishRig(Files.createDirectory(directory.resolve("other")), kind);
  }

  @AfterEach
  void close() {
    rig.close();
  }

  @ParameterizedTest
  @EnumSource(PublishRig.Kind.class)
  void publishesAPullRequestBeforeTheAttemptEnds(PublishRig.Kind kind) throws Exception {
    open(kind);

    RunKey run = rig.ran(SCRIPT, PublishRig.pull("fix/b"));

    List<String> types = rig.runner.types(run);
    assertTrue(
        types.indexOf("snapshot.updated") < types.indexOf("job.completed"), types.toString());
    assertTrue(types.indexOf("job.completed") < types.indexOf("process.completed"));
    PublishNotice.JobCompleted told = rig.told(run);
    assertEquals(rig.tip("fix/b"), told.commit());
    assertEquals(1L, told.pullRequest());
    assertEquals(told.url(), Objects.requireNonNull(rig.publication(run).pullRequest()).url());
    assertEquals(
        "A Person <a@example.org>|Runyard|Add b||Because.||Runyard-Run: " + run.runId(),
        rig.repository.git("log", "-1", "--format=%an <%ae>|%cn|%B", "fix/b").replace('\n', '|'));
    assertEquals(rig.tip("main"), rig.repository.git("rev-parse", "fix/b^"));
    assertEquals("A\tb", rig.repository.git("diff", "--name-status", "fix/b^", "fix/b"));
    JsonNode pull = rig.forge.pulls().getFirst();
    assertTrue(pull.path("title").asText().endsWith("Add b"));
    assertTrue(pull.path("draft").asBoolean());
    assertFalse(rig.runner.events(run).toString().contains(PublishRig.SECRET));
  }

  @ParameterizedTest
  @EnumSource(PublishRig.Kind.class)
  void makesOneBranchAndOnePullRequestHoweverOftenItIsSent(PublishRig.Kind kind) throws Exception {
    open(kind);
    RunKey run = rig.ran(SCRIPT, null);
    rig.repository.commit("a", "moved on\n");

    RunKey first = rig.published(run, PublishRig.pull("fix/b"));
    RunKey second = rig.published(run, PublishRig.pull("fix/b"));
    rig.forge.pulls().getFirst().put("state", "closed");
    RunKey third = rig.published(run, PublishRig.pull("fix/b"));

    assertEquals(1, rig.events(third, RunEvent.AttemptCompleted.class).size());
    assertEquals(rig.told(first).commit(), rig.told(second).commit());
    assertEquals(rig.tip("fix/b"), rig.told(third).commit());
    assertEquals(1, rig.forge.pulls().size());
    assertEquals(third.runId(), rig.publication(run).by());
    assertEquals("publish", rig.events(first, RunEvent.ProcessStarted.class).getFirst().program());
  }

  @ParameterizedTest
  @EnumSource(PublishRig.Kind.class)
  void makesNoSecondPullRequestWhereAListDoesNotShowTheFirst(PublishRig.Kind kind)
      throws Exception {
    open(kind);
    RunKey run = rig.ran(SCRIPT, PublishRig.pull("fix/b"));
    rig.forge.listsNothing();

    rig.published(run, PublishRig.pull("fix/b"));

    assertEquals(Failure.PUBLISH_FAILED, rig.code(run));
    assertEquals(1, rig.forge.pulls().size());
  }

  @Test
  void failsNoRunWhoseBranchIsProtectedAndCanBeRepeated() throws Exception {
    rig.protects("fix/b");

    RunKey run = rig.ran(SCRIPT, PublishRig.pull("fix/b"));

    assertEquals(Failure.PUSH_REFUSED, rig.code(run));
    assertEquals(1, rig.events(run, RunEvent.AttemptCompleted.class).size());
    assertEquals(
        Failure.PUSH_REFUSED,
        rig.events(run, PublishNotice.JobFailed.class).getFirst().error().code());
    assertEquals(
        Failure.PUSH_REFUSED, rig.events(run, RunEvent.RuntimeWarning.class).getFirst().code());
    rig.hook("true");
    rig.published(run, PublishRig.pull("fix/b"));
    assertEquals("", rig.code(run));
    assertEquals(1, rig.forge.pulls().size());
  }

  @Test
  void leavesABranchOfOthersAsItIs() throws Exception {
    rig.repository.git("branch", "taken");

    RunKey run = rig.ran(SCRIPT, PublishRig.branch("taken"));

    assertEquals(Failure.BRANCH_EXISTS, rig.code(run));
    assertEquals(rig.tip("main"), rig.tip("taken"));
  }

  @Test
  void saysThatABranchHasNoPlaceBesideAnother() throws Exception {
    rig.repository.git("branch", "prot/x");
    rig.repository.git("branch", "taken");

    assertEquals(Failure.BRANCH_EXISTS, rig.code(rig.ran(SCRIPT, PublishRig.branch("prot"))));
    assertEquals(Failure.BRANCH_EXISTS, rig.code(rig.ran(SCRIPT, PublishRig.branch("taken/y"))));
  }

  @Test
  void leavesABranchThatSomebodyHasContinued() throws Exception {
    RunKey run = rig.ran(SCRIPT, PublishRig.branch("fix/b"));
    rig.repository.git("checkout", "-q", "fix/b");
    String continued = rig.repository.commit("c", "theirs");

    RunKey again = rig.published(run, PublishRig.branch("fix/b"));

    assertEquals(Failure.BRANCH_MOVED, rig.code(run));
    assertEquals(continued, rig.tip("fix/b"));
    assertEquals(
        Failure.BRANCH_MOVED,
        rig.events(again, RunEvent.AttemptFailed.class).getFirst().error().code());
  }

  @Test
  void seesABranchThatComesIntoBeingWhileItPushes() throws Exception {
    rig.hook("env -u GIT_QUARANTINE_PATH git update-ref refs/heads/fix/b refs/heads/main");

    RunKey run = rig.ran(SCRIPT, PublishRig.branch("fix/b"));

    assertEquals(Failure.BRANCH_MOVED, rig.code(run));
    assertEquals(rig.tip("main"), rig.tip("fix/b"));
  }

  @Test
  void replacesWhatAnEarlierAttemptOfTheSameRunLeft() throws Exception {
    RunKey run = rig.ran(SCRIPT, null);
    String base = rig.tip("main");
    String tree = rig.repository.git("rev-parse", "main^{tree}");
    String earlier =
        rig.repository.git(
            "commit-tree", "-p", base, "-m", "Earlier\n\nRunyard-Run: " + run.runId(), tree);
    rig.repository.git("update-ref", "refs/heads/fix/b", earlier);

    rig.published(run, PublishRig.branch("fix/b"));

    assertEquals("", rig.code(run));
    assertEquals(rig.publication(run).commit(), rig.tip("fix/b"));
  }

  @Test
  void tellsThatTheCredentialMayNotWrite() throws Exception {
    RunKey run = rig.ran(SCRIPT, null);
    rig.repository.git("config", "http.receivepack", "false");

    rig.published(run, PublishRig.branch("fix/b"));

    assertEquals(Failure.PUBLISH_NOT_ALLOWED, rig.code(run));
  }

  @Test
  void tellsWhyThereIsNoPullRequestInItsOwnWords() throws Exception {
    open(PublishRig.Kind.GITLAB);
    RunKey run = rig.ran(SCRIPT, PublishRig.branch("fix/b"));
    Map<Integer, String> codes =
        Map.of(
            401, Failure.PUBLISH_NOT_ALLOWED,
            403, Failure.PUBLISH_NOT_ALLOWED,
            404, Failure.PUBLISH_NOT_ALLOWED,
            301, Failure.PULL_REQUEST_REFUSED,
            422, Failure.PULL_REQUEST_REFUSED,
            429, Failure.PUBLISH_FAILED,
            500, Failure.PUBLISH_FAILED,
            503, Failure.PUBLISH_FAILED);
    codes.forEach(
        (status, code) -> {
          rig.forge.answers(
              status, Map.of("Retry-After", "60", "Location", rig.server.url("elsewhere")));
          assertEquals(
              status == 403 ? Failure.PUBLISH_FAILED : code, code(run), String.valueOf(status));
        });
    rig.forge.answers(403, Map.of());
    assertEquals(Failure.PUBLISH_NOT_ALLOWED, code(run));

    assertTrue(rig.publication(run).pushed());
    assertFalse(String.valueOf(rig.publication(run).error()).contains("<b>"));
    assertFalse(rig.server.asked().contains("/elsewhere"));
    assertEquals(0, rig.forge.pulls().size());
  }

  private String code(RunKey run) {
    try {
      rig.published(run, PublishRig.pull("fix/b"));
      return rig.code(run);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void refusesABaseThatIsNoBranch() throws Exception {
    PublishRequest wrong =
        new PublishRequest(
            "fix/b",
            null,
            true,
            new PublishRequest.PullRequest("T", null, "nowhere", false),
            "GIT",
            null,
            null);

    RunKey run = rig.ran(SCRIPT, wrong);

    assertEquals(Failure.PULL_REQUEST_REFUSED, rig.code(run));
  }

  @Test
  void publishesNothingOfAnAgentThatFailedOrChangedNothing() throws Exception {
    RunKey failed = rig.ran(SCRIPT + "; exit 3", PublishRig.branch("one"));
    RunKey idle = rig.ran("true", PublishRig.branch("two"));

    assertEquals(List.of(), rig.events(failed, PublishNotice.class));
    assertEquals(Failure.NOTHING_TO_PUBLISH, rig.code(idle));
    assertEquals("", rig.tip("one") + rig.tip("two"));
  }

  @Test
  void tellsThatItsSecretCannotBeRead() throws Exception {
    PublishRequest secretless = new PublishRequest("fix/b", null, true, null, "NONE", null, null);

    RunKey run = rig.ran(SCRIPT, secretless);

    assertEquals(Failure.PUBLISH_NOT_ALLOWED, rig.code(run));
    assertEquals(1, rig.events(run, RunEvent.AttemptCompleted.class).size());
  }

  @Test
  void runsNoHookAndTakesNoIdentityOfTheAgents() throws Exception {
    Path ran = directory.resolve("ran");
    String hostile =
        """
        git config user.name Mallory; git config core.hooksPath .git/hooks
        git config credential.helper '!touch %1$s'; git config url.http://127.0.0.1:1/.insteadOf http://
        for h in pre-commit pre-push post-commit; do
          printf '#!/bin/sh\\ntouch %1$s\\n' > .git/hooks/$h; chmod +x .git/hooks/$h; done
        printf '* filter=x\\n' > .gitattributes; git config filter.x.clean 'touch %1$s'
        mkdir -p $HOME; git config --file $HOME/.gitconfig core.fsmonitor 'touch %1$s'
        echo 2 > b
        """
            .formatted(ran);

    RunKey run = rig.ran(hostile, PublishRig.branch("fix/b"));

    assertEquals("", rig.code(run));
    assertFalse(Files.exists(ran));
    assertEquals("Runyard Runyard", rig.repository.git("log", "-1", "--format=%an %cn", "fix/b"));
  }

  @Test
  void onlyTellsTheCommitWhereNothingIsPushed() throws Exception {
    PublishRequest kept = new PublishRequest("fix/b", null, false, null, "GIT", null, null);

    RunKey run = rig.ran(SCRIPT, kept);
    rig.published(run, new PublishRequest("fix/b", null, true, null, "GIT", null, null));

    assertEquals(rig.told(run).commit(), rig.tip("fix/b"));
    assertFalse(rig.told(run).pushed());
  }

  @ParameterizedTest
  @EnumSource(PublishRig.Kind.class)
  void publishesAllThatASessionHasChanged(PublishRig.Kind kind) throws Exception {
    open(kind);
    rig.ran(SCRIPT, null);

    RunKey second = rig.continued("echo 3 > c", PublishRig.session("fix/b"));

    assertEquals("", rig.code(second));
    assertEquals(rig.tip("main"), rig.repository.git("rev-parse", "fix/b^"));
    assertEquals("A\tb\nA\tc", rig.repository.git("diff", "--name-status", "fix/b^", "fix/b"));
    assertEquals(1, rig.forge.pulls().size());
    String commit = rig.tip("fix/b");
    rig.published(second, PublishRig.pull("fix/b"));
    assertEquals(commit, rig.told(second).commit());
    assertEquals(1, rig.forge.pulls().size());
  }

  @ParameterizedTest
  @EnumSource(PublishRig.Kind.class)
  void continuesTheBranchOfTheSessionsEarlierRun(PublishRig.Kind kind) throws Exception {
    open(kind);
    RunKey first = rig.ran(SCRIPT, PublishRig.pull("fix/b"));
    String earlier = rig.tip("fix/b");

    RunKey second = rig.continued("echo 3 > c", PublishRig.session("fix/b"));
    assertEquals("", rig.code(second));
    RunKey third = rig.continued("true", null);
    rig.published(third, PublishRig.pull("fix/b"));
    assertEquals("", rig.code(third));

    assertNotEquals(earlier, rig.tip("fix/b"));
    assertEquals("A\tb\nA\tc", rig.repository.git("diff", "--name-status", "main", "fix/b"));
    assertEquals("1", rig.repository.git("rev-list", "--count", "main..fix/b"));
    assertEquals(1, rig.forge.pulls().size());
    String tip = rig.tip("fix/b");
    rig.published(first, PublishRig.pull("fix/b"));
    assertEquals(Failure.BRANCH_EXISTS, rig.code(first));
    assertEquals(tip, rig.tip("fix/b"));
  }

  @Test
  void publishesNothingOfASessionThatBeganWithoutARepository() throws Exception {
    rig.begun(SCRIPT, WorkspaceRequest.of(new WorkspaceSource.None()));

    RunKey next = rig.continued("echo 3 > c", PublishRig.session("fix/b"));

    assertEquals(Failure.PUBLISH_NOT_ALLOWED, rig.code(next));
    assertEquals("", rig.tip("fix/b"));
  }
}
