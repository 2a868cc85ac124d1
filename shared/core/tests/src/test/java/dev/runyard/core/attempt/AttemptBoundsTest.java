package dev.runyard.core.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.event.ModelNotice;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.interaction.Action;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.request.RunBounds;
import dev.runyard.core.run.RunState;
import dev.runyard.core.usage.Usage;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// The bounds of a request, enforced while the agent runs.
final class AttemptBoundsTest {
  private static final List<String> ENDED_BY_ITS_RUNNER =
      List.of("process.terminated", "process.completed", "task.attempt.failed");
  private static final Duration MOMENT = AttemptRig.LOOK.plusMillis(2);

  @Test
  void stopsAfterTheAnswerThatIsOneTooMany() {
    AttemptRig rig = rig(new RunBounds(2, null, null, null, null));
    AttemptRig.Try attempt = rig.running("attempt-1");
    attempt.agent.tell(answer(10, null), answer(10, null));
    attempt.during(MOMENT);
    assertEquals(0, attempt.agent.stops());

    attempt.agent.tell(answer(10, null));
    attempt.step();

    assertEquals(1, attempt.agent.stops());
    attempt.agent.die();
    assertEquals(Step.Verdict.ENDED, attempt.finish());
    List<String> types = rig.types(0);
    assertEquals(ENDED_BY_ITS_RUNNER, types.subList(types.size() - 3, types.size()));
    assertEquals(Failure.MAX_TURNS_REACHED, failure(rig));
  }

  @Test
  void countsNoSumAsAnAnswer() {
    AttemptRig rig = rig(new RunBounds(1, null, null, null, null));
    AttemptRig.Try attempt = rig.running("attempt-1");
    attempt.agent.tell(
        answer(10, null), new RunEvent.CostRecorded(new Usage(10, 0, 5, 0, null), "m"));

    attempt.during(MOMENT);

    assertEquals(0, attempt.agent.stops());
  }

  @Test
  void stopsAfterTheTokenThatIsOneTooMany() {
    AttemptRig rig = rig(new RunBounds(null, 30L, null, null, null));
    AttemptRig.Try attempt = rig.running("attempt-1");
    attempt.agent.tell(answer(10, null), answer(10, null));
    attempt.during(MOMENT);
    assertEquals(0, attempt.agent.stops());

    attempt.agent.tell(new RunEvent.CostRecorded(new Usage(1, 0, 0, 0, null), null));
    attempt.step();

    assertEquals(1, attempt.agent.stops());
    attempt.agent.die();
    attempt.finish();
    assertEquals(Failure.MAX_TOKENS_REACHED, failure(rig));
    RunState.Failed failed = assertInstanceOf(RunState.Failed.class, rig.advance());
    assertEquals("failed", failed.phase());
    assertEquals(31, failed.facts().usage().tokens());
  }

  @Test
  void stopsOnceItCostTooMuch() {
    AttemptRig rig = rig(new RunBounds(null, null, 0.5, null, null));
    AttemptRig.Try attempt = rig.running("attempt-1");
    attempt.agent.tell(answer(10, 0.25), answer(10, 0.25));
    attempt.during(MOMENT);
    assertEquals(0, attempt.agent.stops());

    attempt.agent.tell(answer(10, 0.25));
    attempt.step();
    attempt.agent.die();
    attempt.finish();

    assertEquals(Failure.MAX_COST_REACHED, failure(rig));
  }

  @Test
  void failsARunThatWasDoneWithTheAnswerThatIsOneTooMany() {
    AttemptRig rig = rig(new RunBounds(1, null, null, null, null));
    AttemptRig.Try attempt = rig.running("attempt-1");
    attempt.agent.tell(answer(10, null), answer(10, null));
    attempt.agent.succeed();

    attempt.finish();

    assertEquals(0, attempt.agent.stops());
    assertEquals(Failure.MAX_TURNS_REACHED, failure(rig));
    assertEquals(0, rig.types(0).stream().filter("process.terminated"::equals).count());
  }

  @Test
  void leavesTheReasonToAnAgentThatFailedByItself() {
    AttemptRig rig = rig(new RunBounds(1, null, null, null, null));
    AttemptRig.Try attempt = rig.running("attempt-1");
    attempt.agent.tell(answer(10, null), answer(10, null));
    attempt.agent.fail("no_key");

    attempt.finish();

    assertEquals("no_key", failure(rig));
  }

  /// Whatever the agent made of the refusal: it may fail in its own way, or think it is done.
  @Test
  void failsARunOfWhichTheGatewayRefusedACall() {
    for (boolean success : List.of(true, false)) {
      AttemptRig rig = rig(new RunBounds(2, null, null, null, null));
      AttemptRig.Try attempt = rig.running("attempt-1");
      attempt.agent.tell(
          answer(10, null),
          answer(10, null),
          new ModelNotice.QuotaBlocked(RunBounds.MAX_TURNS, "m"));
      if (success) {
        attempt.agent.succeed();
      } else {
        attempt.agent.fail("request_rejected");
      }

      attempt.finish();

      assertEquals(Failure.MAX_TURNS_REACHED, failure(rig));
    }
  }

  @Test
  void stopsAnAgentOfWhichTheGatewayRefusedACall() {
    AttemptRig rig = rig(new RunBounds(null, 100L, null, null, null));
    AttemptRig.Try attempt = rig.running("attempt-1");
    attempt.agent.tell(new ModelNotice.QuotaBlocked(RunBounds.MAX_TOKENS, null));

    attempt.step();

    assertEquals(1, attempt.agent.stops());
  }

  @Test
  void triesNoRunAgainThatUsedTooMuch() {
    AttemptRig rig =
        new AttemptRig(
            new RetryPolicy(3, List.of(RetryPolicy.ANY), 0),
            AttemptRig.FLUSH,
            new RunBounds(1, null, null, null, null));
    AttemptRig.Try attempt = rig.running("attempt-1");
    attempt.agent.tell(answer(10, null), answer(10, null));
    attempt.agent.succeed();
    attempt.finish();

    assertInstanceOf(RunState.Failed.class, rig.advance());
  }

  @Test
  void countsWhatEarlierAttemptsUsed() {
    AttemptRig rig =
        new AttemptRig(
            new RetryPolicy(3, List.of(RetryPolicy.ANY), 0),
            AttemptRig.FLUSH,
            new RunBounds(null, 20L, null, null, null));
    AttemptRig.Try first = rig.running("attempt-1");
    first.agent.tell(answer(10, null));
    first.agent.fail("agent_failed");
    first.finish();
    rig.advance();
    AttemptRig.Try second = rig.running("attempt-2");

    second.agent.tell(answer(10, null));
    second.during(MOMENT);

    assertEquals(1, second.agent.stops());
  }

  @Test
  void stopsASilentAgent() {
    AttemptRig rig = rig(idle(20));
    AttemptRig.Try attempt = rig.running("attempt-1");
    attempt.during(Duration.ofSeconds(19));
    attempt.agent.tell(new RunEvent.ToolStarted("t-1", "sh", "tool_use", null));
    attempt.during(Duration.ofSeconds(19));
    assertEquals(0, attempt.agent.stops());

    attempt.during(MOMENT.multipliedBy(2));

    assertEquals(1, attempt.agent.stops());
    attempt.agent.die();
    attempt.finish();
    assertEquals(Failure.IDLE_TIMEOUT, failure(rig));
  }

  @Test
  void letsAToolBeSilentWhereNoTimeIsNamed() {
    AttemptRig rig = new AttemptRig(7200, RunBounds.NONE);
    AttemptRig.Try attempt = rig.running("attempt-1");
    attempt.agent.tell(new RunEvent.ToolStarted("t-1", "sh", "tool_use", null));
    attempt.during(Duration.ofSeconds(Limits.IDLE_SECONDS_DEFAULT + 60));
    assertEquals(0, attempt.agent.stops());

    attempt.agent.tell(new RunEvent.ToolResult("t-1", "sh", "tool_use", 0, "", 0));
    attempt.during(Duration.ofSeconds(Limits.IDLE_SECONDS_DEFAULT - 60));
    assertEquals(0, attempt.agent.stops());
    attempt.during(Duration.ofSeconds(65));

    assertEquals(1, attempt.agent.stops());
  }

  @Test
  void letsAnAgentBeSilentForEverWhereItIsAskedTo() {
    AttemptRig rig = new AttemptRig(7200, idle(0));
    AttemptRig.Try attempt = rig.running("attempt-1");

    attempt.during(Duration.ofSeconds(7000));

    assertEquals(0, attempt.agent.stops());
  }

  @Test
  void takesWaitingForAPersonForNoSilence() {
    AttemptRig rig = rig(idle(20));
    AttemptRig.Try attempt = rig.running("attempt-1");
    attempt.agent.holdOn();
    attempt.agent.ask(rig.question(1, ActionType.PERMISSION, 0));
    attempt.during(Duration.ofSeconds(100));
    assertEquals(0, attempt.agent.stops());

    rig.decide(1, ActionDecision.APPROVE);
    attempt.during(Duration.ofSeconds(19));
    assertEquals(0, attempt.agent.stops());
    attempt.during(Duration.ofSeconds(4));

    assertEquals(1, attempt.agent.stops());
  }

  @Test
  void takesWaitingForTheLogForNoSilence() {
    AttemptRig rig = rig(idle(20));
    AttemptRig.Try attempt = rig.running("attempt-1");
    rig.log.down(true);
    attempt.agent.ask(rig.question(1, ActionType.QUESTION, 0));
    attempt.during(Duration.ofSeconds(30));
    rig.log.down(false);

    attempt.during(Duration.ofSeconds(25));

    assertEquals(0, attempt.agent.stops());
    assertTrue(assertInstanceOf(RunState.InProgress.class, rig.state()).awaiting());
  }

  @Test
  void restartsTheSilenceWhenTheClockIsSetBack() {
    AttemptRig rig = rig(idle(20));
    AttemptRig.Try attempt = rig.running("attempt-1");
    attempt.during(Duration.ofSeconds(15));
    rig.pass(Duration.ofHours(-1));

    attempt.during(Duration.ofSeconds(19));
    assertEquals(0, attempt.agent.stops());
    attempt.during(Duration.ofSeconds(3));

    assertEquals(1, attempt.agent.stops());
  }

  @Test
  void refusesAPermissionNobodyGivesInTheTimeOfTheRequest() {
    AttemptRig rig = rig(new RunBounds(null, null, null, null, 5));
    AttemptRig.Try attempt = rig.running("attempt-1");
    attempt.agent.holdOn();
    attempt.agent.ask(rig.question(1, ActionType.PERMISSION, 0));
    attempt.during(Duration.ofSeconds(4));
    assertTrue(assertInstanceOf(RunState.InProgress.class, rig.state()).awaiting());

    attempt.during(Duration.ofSeconds(3));

    RunState.InProgress run = assertInstanceOf(RunState.InProgress.class, rig.state());
    Action.Resolution resolution = run.facts().interactions().actions().getFirst().resolution();
    assertEquals(ActionDecision.TIMED_OUT, Objects.requireNonNull(resolution).decision());
    assertEquals(1, attempt.agent.given().size());
  }

  private static RunBounds idle(int seconds) {
    return new RunBounds(null, null, null, seconds, null);
  }

  private static AttemptRig rig(RunBounds bounds) {
    return new AttemptRig(AttemptRig.TIMEOUT_SECONDS, bounds);
  }

  private static RunEvent answer(long input, @Nullable Double cost) {
    return new RunEvent.CostRecorded(new Usage(input, 0, 5, 0, cost).asTurn(), "m");
  }

  private static String failure(AttemptRig rig) {
    return assertInstanceOf(RunEvent.AttemptFailed.class, rig.events().getLast()).error().code();
  }
}
