package dev.runyard.runner.attempt;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.agent.host.InstalledAgent;
import dev.runyard.agent.host.InstalledAgents;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.attempt.Step;
import dev.runyard.core.change.ChangedFile;
import dev.runyard.core.change.KeptChange;
import dev.runyard.core.change.KeptChanges;
import dev.runyard.core.change.KeptObject;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.request.WorkspaceRequest;
import dev.runyard.core.request.WorkspaceSource;
import dev.runyard.core.run.RunState;
import dev.runyard.runner.RunnerRig;
import dev.runyard.runner.backend.AgentGateway;
import dev.runyard.runner.backend.javaagent.AgentJar;
import dev.runyard.runner.backend.javaagent.JavaAgentBackend;
import dev.runyard.runner.backend.javaagent.Working;
import dev.runyard.testkit.git.GitServer;
import dev.runyard.testkit.git.Repository;
import dev.runyard.testkit.threads.TestPatience;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JavaAgentAttemptsTest {

  @TempDir private Path directory;
  private RunnerRig rig;

  @BeforeEach
  void open() {
    rig = new RunnerRig(directory);
  }

  @Test
  void continuesInAnotherAttemptWithoutRepeatingAnything() throws Exception {
    RunKey run = rig.submit("worker", Working.TALKS, Map.of());
    rig.say(run, "m-1", "one");
    Attempts first = attempts();
    CompletableFuture<Step.Verdict> attempt = work(first);
    rig.untilLogged(run, "task.waiting");
    first.drain();
    assertEquals(Step.Verdict.ENDED, attempt.get());
    rig.advance(run);
    assertInstanceOf(RunState.Paused.class, rig.state(run));

    rig.say(run, "m-2", "two");
    rig.answer(run, "yes");
    rig.advance(run);
    assertEquals(Step.Verdict.ENDED, work(attempts()).get());
    rig.advance(run);

    assertInstanceOf(RunState.Completed.class, rig.state(run));
    assertEquals("heard one; told yes; heard two.", text(run));
    assertEquals(3, count(run, "process.input"));
    assertEquals(1, count(run, "action.required"));
    assertEquals(1, count(run, "model.completed"));
  }

  @Test
  void takesAMessageFromItselfThroughTheLog() throws Exception {
    RunKey run = rig.submit("worker", Working.SENDS_TO_ITSELF, Map.of());

    assertEquals(Step.Verdict.ENDED, work(attempts()).get());

    assertEquals("note to self", text(run));
    assertEquals(1, count(run, "channel.message"));
    assertEquals(1, count(run, "process.input"));
  }

  @Test
  void reportsWhatWasSaidInTheSessionBefore() throws Exception {
    RunKey run = rig.submit("worker", Working.RECALLS, Map.of());

    assertEquals(Step.Verdict.ENDED, work(attempts()).get());

    assertEquals("earlier in session-1", text(run));
  }

  @Test
  void endsAnAgentWhoseRunIsCancelled() throws Exception {
    RunKey run = rig.submit("worker", Working.LISTENS, Map.of());
    CompletableFuture<Step.Verdict> attempt = work(attempts());
    rig.untilLogged(run, "model.delta");

    rig.cancel(run);

    assertEquals(Step.Verdict.ENDED, attempt.get());
    rig.advance(run);
    assertInstanceOf(RunState.Cancelled.class, rig.state(run));
    assertEquals("waiting", text(run));
  }

  @Test
  void worksOnARepositoryAndLeavesAChange() throws Exception {
    InstalledAgent agent = AgentJar.of(new Working(), directory);
    assertTrue(InstalledAgents.manifest(agent).capabilities().contains("runyard.workspace.v1"));
    Path served = directory.resolve("served");
    try (GitServer server = new GitServer(served)) {
      String base = Repository.create(served.resolve("shop")).commit("calc", "broken\n");
      RunKey run =
          rig.submit(
              "worker",
              Working.MENDS,
              WorkspaceRequest.of(
                  WorkspaceSource.Git.of(server.url("shop"), null),
                  List.of(),
                  Limits.SETUP_SECONDS_DEFAULT,
                  List.of("dist/**"),
                  true),
              Map.of());

      assertEquals(Step.Verdict.ENDED, work(attempts()).get());

      assertEquals("was broken", text(run));
      KeptChanges changes = new KeptChanges(rig.artifacts);
      KeptChange kept = changes.find(run).orElseThrow();
      assertEquals(base, kept.baseCommit());
      assertEquals(
          List.of("calc", "dist/report"), kept.files().stream().map(ChangedFile::path).toList());
      assertTrue(content(changes, run, kept, kept.patch()).contains("+mended"));
      assertEquals("dist/report", kept.artifacts().getFirst().name());
      assertEquals("all is well\n", content(changes, run, kept, kept.artifacts().getFirst()));
      assertNotNull(kept.archive());
      assertEquals(1, count(run, "context.resolved"));
      assertEquals(1, count(run, "snapshot.updated"));
    }
  }

  private static String content(
      KeptChanges changes, RunKey run, KeptChange kept, @Nullable KeptObject object) {
    return new String(
        changes.content(run, kept, Objects.requireNonNull(object)).orElseThrow(), UTF_8);
  }

  private Attempts attempts() {
    return rig.attempts(
        new AgentGateway(List.of(new JavaAgentBackend(AgentJar.of(new Working(), directory)))),
        AgentSettings.NONE,
        Map.of("PATH", System.getenv("PATH")));
  }

  private CompletableFuture<Step.Verdict> work(Attempts attempts) {
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

  private long count(RunKey run, String type) {
    return rig.types(run).stream().filter(type::equals).count();
  }
}
