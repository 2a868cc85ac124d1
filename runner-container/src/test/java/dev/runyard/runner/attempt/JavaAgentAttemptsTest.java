package dev.runyard.runner.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.attempt.Step;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.run.RunState;
import dev.runyard.runner.RunnerRig;
import dev.runyard.runner.backend.AgentGateway;
import dev.runyard.runner.backend.javaagent.AgentJar;
import dev.runyard.runner.backend.javaagent.JavaAgentBackend;
import dev.runyard.runner.backend.javaagent.Working;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class JavaAgentAttemptsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

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

  private Attempts attempts() {
    return rig.attempts(
        new AgentGateway(List.of(new JavaAgentBackend(AgentJar.of(new Working(), directory)))),
        AgentSettings.NONE,
        Map.of());
  }

  private CompletableFuture<Step.Verdict> work(Attempts attempts) {
    return rig.working(attempts, PATIENCE);
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
