package dev.runyard.core.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.run.RunState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// The life of an attempt, from the message to the end.
final class AttemptLoopTest {
  private static final List<String> ACCEPTED =
      List.of("task.created", "turn.submitted", "task.queued");
  private static final int STARTED = 6;

  private final AttemptRig rig = new AttemptRig();

  @Test
  void writesEveryFactInOrderFromClaimToEnd() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    attempt.agent.say("hel", "lo");
    attempt.agent.tell(new RunEvent.ModelCompleted());
    attempt.agent.succeed();

    assertEquals(Step.Verdict.ENDED, attempt.finish());

    assertEquals(ACCEPTED, rig.types(0).subList(0, 3));
    assertEquals(
        List.of(
            "task.attempt.started",
            "turn.started",
            "process.started",
            "model.delta",
            "model.delta",
            "model.completed",
            "process.completed",
            "task.attempt.completed"),
        rig.types(3));
    assertEquals(List.of(), rig.queue.runs());
    RunState.Completed done = assertInstanceOf(RunState.Completed.class, rig.advance());
    assertEquals(List.of("turn.completed", "task.completed"), rig.types(11));
    assertEquals("hello", done.facts().finalText());
    assertEquals(new Attempt.Exit(0, null), done.attempt().exit());
  }

  @Test
  void startsTheAgentOnceAndOnlyAfterTheLogSaysSo() {
    AttemptRig.Try attempt = rig.take("attempt-1");
    attempt.step();
    assertEquals(List.of("task.attempt.started"), rig.types(3));
    assertTrue(attempt.agent.launches().isEmpty());

    attempt.step();

    assertEquals("process.started", attempt.agent.logAtLaunch().getLast());
    assertEquals("say hello", attempt.agent.launches().getFirst().request().prompt());
    attempt.during(Duration.ofSeconds(5));
    assertEquals(1, attempt.agent.launches().size());
  }

  @Test
  void endsAsFailedWithTheFailureOfItsAgent() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    attempt.agent.say("half");
    attempt.agent.fail("agent_error");

    assertEquals(Step.Verdict.ENDED, attempt.finish());

    assertEquals(
        List.of("model.delta", "process.completed", "task.attempt.failed"), rig.types(STARTED));
    RunState.Failed failed = assertInstanceOf(RunState.Failed.class, rig.advance());
    assertEquals("agent_error", failed.error().code());
  }

  @Test
  void saysThatAnAgentCouldNotBeStarted() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    attempt.agent.end(
        Optional.empty(), Optional.of(Failure.backend(Failure.LAUNCH_FAILED, "No such program.")));

    assertEquals(Step.Verdict.ENDED, attempt.finish());

    assertEquals(List.of("process.failed", "task.attempt.failed"), rig.types(STARTED));
    assertEquals(
        Failure.LAUNCH_FAILED,
        assertInstanceOf(RunState.Failed.class, rig.advance()).error().code());
  }

  @Test
  void startsAnotherAttemptWhereThePolicySaysSo() {
    AttemptRig retried = new AttemptRig(new RetryPolicy(2, List.of("agent_error"), 5));
    AttemptRig.Try first = retried.running("attempt-1");
    first.agent.say("first try");
    first.agent.fail("agent_error");
    first.finish();

    assertInstanceOf(RunState.Retrying.class, retried.advance());
    assertEquals(List.of("task.retrying", "task.queued"), retried.types(9));
    assertTrue(retried.queue.receive(1, 0).isEmpty());
    retried.pass(Duration.ofSeconds(5));
    AttemptRig.Try second = retried.running("attempt-2");
    second.agent.say("second try");
    second.agent.succeed();
    second.finish();

    RunState.Completed done = assertInstanceOf(RunState.Completed.class, retried.advance());
    assertEquals(2, done.facts().attempts());
    assertEquals("second try", done.facts().finalText());
  }

  @Test
  void ofTwoMessagesForARunOneLoses() {
    rig.queue.send(rig.run, 0);
    AttemptRig.Try first = rig.running("attempt-1");
    AttemptRig.Try second = rig.take("attempt-2");

    assertEquals(Step.Verdict.NOT_NEEDED, second.finish());

    assertTrue(second.agent.launches().isEmpty());
    assertEquals(1, rig.queue.runs().size());
    first.agent.succeed();
    assertEquals(Step.Verdict.ENDED, first.finish());
    assertFalse(rig.types(0).toString().contains("attempt-2"));
  }

  @Test
  void isNotNeededForARunThatHasEnded() {
    AttemptRig.Try first = rig.running("attempt-1");
    first.agent.succeed();
    first.finish();
    rig.advance();
    rig.queue.send(rig.run, 0);
    int before = rig.types(0).size();

    assertEquals(Step.Verdict.NOT_NEEDED, rig.take("attempt-2").finish());

    assertEquals(List.of(), rig.queue.runs());
    assertEquals(before, rig.types(0).size());
  }

  @Test
  void isNotNeededForARunCancelledWhileItWaited() {
    rig.cancel();

    assertEquals(Step.Verdict.NOT_NEEDED, rig.take("attempt-1").finish());

    assertInstanceOf(RunState.Cancelled.class, rig.advance());
    assertEquals(List.of(), rig.queue.runs());
  }

  @Test
  void deletesItsMessageOnlyAfterItsEndIsInTheLog() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    attempt.agent.succeed();
    rig.log.down(true);
    attempt.during(Duration.ofSeconds(5));
    assertEquals(1, rig.queue.runs().size());
    rig.log.down(false);

    assertEquals(Step.Verdict.ENDED, attempt.finish());

    assertEquals("task.attempt.completed", rig.types(0).getLast());
    assertEquals(List.of(), rig.queue.runs());
  }

  @Test
  void triesAgainToDeleteItsMessage() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    attempt.agent.succeed();
    rig.queue.down(true);
    attempt.during(Duration.ofSeconds(5));
    assertEquals("task.attempt.completed", rig.types(0).getLast());
    rig.queue.down(false);

    assertEquals(Step.Verdict.ENDED, attempt.finish());

    assertEquals(List.of(), rig.queue.runs());
  }
}
