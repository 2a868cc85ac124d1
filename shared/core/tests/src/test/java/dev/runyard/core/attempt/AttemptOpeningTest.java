package dev.runyard.core.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.RunState;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Stores that take long, before the agent starts and after it has ended.
final class AttemptOpeningTest {
  private static final int CLAIMED = 4;
  private static final Duration LONG = Duration.ofSeconds(3L * Limits.LEASE_SECONDS);
  private final AttemptRig rig = new AttemptRig();

  @Test
  void keepsItsLeaseAndBeatsWhileItGetsReady() {
    AttemptRig.Try attempt = rig.take("attempt-1");
    attempt.agent.needTime();

    attempt.during(LONG);

    assertEquals(List.of(), attempt.agent.launches());
    assertEquals(6, rig.queue.extensions().size(), 1);
    assertEquals(8, rig.types(CLAIMED).size(), 1);
    assertTrue(rig.types(CLAIMED).stream().allMatch("run.status"::equals));
    attempt.agent.ready();
    attempt.agent.succeed();
    assertEquals(Step.Verdict.ENDED, attempt.finish());
    assertInstanceOf(RunState.Completed.class, rig.advance());
  }

  @Test
  void saysThatTheAgentIsStartedOnceAllIsReady() {
    AttemptRig.Try attempt = rig.take("attempt-1");
    attempt.agent.needTime();
    attempt.during(Duration.ofSeconds(1));
    assertEquals(List.of(), attempt.agent.logAtTake());

    attempt.agent.ready();
    attempt.during(Duration.ofSeconds(1));

    List<String> started = List.of("turn.started", "process.started");
    assertEquals(
        List.of(started),
        attempt.agent.logAtTake().stream().map(log -> log.subList(CLAIMED, log.size())).toList());
    assertEquals(1, attempt.agent.launches().size());
  }

  @Test
  void startsNoAgentWhenItWasTakenOverWhileItGotReady() {
    AttemptRig.Try zombie = rig.take("attempt-1");
    zombie.agent.needTime();
    zombie.step();
    zombie.step();
    AttemptRig.Try second = rig.startedAgain("attempt-2");
    zombie.agent.ready();

    assertEquals(Step.Verdict.FENCED, zombie.finish());

    assertEquals(List.of(), zombie.agent.launches());
    assertEquals(1, second.agent.launches().size());
  }

  @Test
  void startsNoAgentWhenItWasTakenOverWhileItTookWhatWasLeft() {
    AttemptRig.Try zombie = rig.take("attempt-1");
    zombie.agent.takeTime();
    zombie.step();
    zombie.step();
    rig.takenOver();
    zombie.agent.taken();

    assertEquals(Step.Verdict.FENCED, zombie.finish());

    assertEquals(List.of(), zombie.agent.launches());
    assertEquals("lost", assertInstanceOf(RunState.Failed.class, rig.advance()).phase());
  }

  @Test
  void writesOnceMoreBeforeItStartsAnAgentForWhichItTookLong() {
    AttemptRig.Try attempt = rig.take("attempt-1");
    attempt.agent.takeTime();
    attempt.during(Duration.ofSeconds(2));
    assertEquals("process.started", rig.types(0).getLast());
    attempt.agent.taken();

    attempt.during(Duration.ofSeconds(1));

    assertEquals(1, attempt.agent.launches().size());
    assertEquals("run.status", attempt.agent.logAtLaunch().getLast());
  }

  @Test
  void startsNoAgentForARunCancelledWhileItTookWhatWasLeft() {
    AttemptRig.Try attempt = rig.take("attempt-1");
    attempt.agent.takeTime();
    attempt.during(Duration.ofSeconds(2));
    rig.cancelUnheard();
    attempt.agent.taken();

    assertEquals(Step.Verdict.ENDED, attempt.finish());

    assertEquals(List.of(), attempt.agent.launches());
    assertInstanceOf(RunState.Cancelled.class, rig.advance());
  }

  @Test
  void abandonsWhatItPreparesBeforeTheLogSaysThatItIsOver() {
    AttemptRig.Try attempt = rig.take("attempt-1");
    attempt.agent.needTime();
    attempt.during(Duration.ofSeconds(2));
    assertEquals(List.of(), attempt.agent.logAtAbandon());
    attempt.drain();

    assertEquals(Step.Verdict.ENDED, attempt.finish());

    List<String> then = attempt.agent.logAtAbandon().getFirst();
    assertEquals(List.of(), then.subList(CLAIMED, then.size()));
    assertEquals(List.of("task.attempt.failed"), rig.types(CLAIMED));
  }

  @Test
  void handsTheRunBackWhenItsRunnerStopsBeforeTheAgentIsStarted() {
    AttemptRig.Try attempt = rig.take("attempt-1");
    attempt.agent.needTime();
    attempt.during(Duration.ofSeconds(2));
    attempt.drain();

    assertEquals(Step.Verdict.ENDED, attempt.finish());

    RunEvent.AttemptFailed failed =
        assertInstanceOf(RunEvent.AttemptFailed.class, rig.events().getLast());
    assertEquals(Failure.RUNNER_STOPPED, failed.error().code());
    assertInstanceOf(RunState.Retrying.class, rig.advance());
    AttemptRig.Try next = rig.running("attempt-2");
    next.agent.succeed();
    assertEquals(Step.Verdict.ENDED, next.finish());
    assertEquals(1, assertInstanceOf(RunState.Completed.class, rig.advance()).facts().tries());
  }

  @Test
  void handsTheRunBackWhenItsRunnerStopsAndTheAnswerToItsClaimWasLost() {
    AttemptRig.Try attempt = rig.take("attempt-1");
    rig.log.loseReplies(1);
    attempt.step();
    attempt.drain();

    assertEquals(Step.Verdict.ENDED, attempt.finish());

    assertEquals(List.of("task.attempt.failed"), rig.types(CLAIMED));
    assertInstanceOf(RunState.Retrying.class, rig.advance());
  }

  @Test
  void handsTheRunBackWhenItsRunnerStopsWhileItTakesWhatWasLeft() {
    AttemptRig.Try attempt = rig.take("attempt-1");
    attempt.agent.takeTime();
    attempt.agent.returnSlowly();
    attempt.during(Duration.ofSeconds(2));
    attempt.drain();

    attempt.during(Duration.ofSeconds(2));
    assertEquals(List.of(), attempt.agent.logAtGiveBack(), "it is still being taken");
    attempt.agent.taken();
    attempt.during(Duration.ofSeconds(2));
    assertEquals(1, attempt.agent.logAtGiveBack().size());
    assertEquals("process.started", rig.types(0).getLast());
    attempt.agent.returned();

    assertEquals(Step.Verdict.ENDED, attempt.finish());
    assertEquals(List.of(), attempt.agent.launches());
    assertInstanceOf(RunState.Retrying.class, rig.advance());
    AttemptRig.Try next = rig.running("attempt-2");
    next.agent.succeed();
    assertEquals(Step.Verdict.ENDED, next.finish());
    assertEquals(1, assertInstanceOf(RunState.Completed.class, rig.advance()).facts().tries());
  }

  @Test
  void handsTheRunBackWhenItsRunnerStopsBeforeTheStartIsStored() {
    AttemptRig.Try attempt = rig.take("attempt-1");
    attempt.agent.needTime();
    attempt.during(Duration.ofSeconds(2));
    rig.log.down(true);
    attempt.agent.ready();
    attempt.during(Duration.ofSeconds(2));
    attempt.drain();
    rig.log.down(false);

    assertEquals(Step.Verdict.ENDED, attempt.finish());

    assertEquals(List.of(), attempt.agent.launches());
    assertInstanceOf(RunState.Retrying.class, rig.advance());
  }

  @Test
  void endsARunWhoseTimeIsOverBeforeItsAgentIsReady() {
    AttemptRig.Try attempt = rig.take("attempt-1");
    attempt.agent.needTime();

    attempt.during(Duration.ofSeconds(AttemptRig.TIMEOUT_SECONDS + 1));

    RunState.Failed failed = assertInstanceOf(RunState.Failed.class, rig.advance());
    assertEquals("timed_out", failed.phase());
    assertEquals(AttemptEnd.timedOutUnstarted(), failed.error());
    assertEquals(1, attempt.agent.logAtAbandon().size());
    assertEquals(List.of(), attempt.agent.launches());
  }

  @Test
  void tellsAndKeepsWhatWasPreparedForARunThatIsCancelled() {
    AttemptRig.Try attempt = rig.take("attempt-1");
    attempt.agent.needTime();
    attempt.agent.refuseSlowly();
    attempt.during(Duration.ofSeconds(2));
    rig.cancelUnheard();
    attempt.during(Duration.ofSeconds(AttemptRig.TIMEOUT_SECONDS));
    assertEquals(
        List.of(Failure.CANCELLED), attempt.agent.refusals().stream().map(Failure::code).toList());
    assertEquals(List.of(), attempt.agent.logAtKeep());

    attempt.agent.refused(new RunEvent.RuntimeWarning("told", "It was prepared."));

    assertEquals(Step.Verdict.ENDED, attempt.finish());
    List<String> types = rig.types(CLAIMED);
    assertEquals(
        List.of("runtime.warning", "task.attempt.failed"),
        types.subList(types.size() - 2, types.size()));
    assertEquals(1, attempt.agent.logAtKeep().size());
    assertEquals(List.of(), attempt.agent.launches());
    assertInstanceOf(RunState.Cancelled.class, rig.advance());
  }

  @Test
  void keepsItsLeaseAndBeatsWhileWhatTheAgentRemembersIsStored() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    attempt.agent.storeSlowly();
    attempt.agent.say("done");
    attempt.agent.succeed();

    attempt.during(LONG);

    assertEquals(List.of(), attempt.agent.logAtKeep());
    assertEquals(6, rig.queue.extensions().size(), 1);
    assertTrue(rig.queue.receive(1, 0).isEmpty());
    attempt.agent.stored();
    assertEquals(Step.Verdict.ENDED, attempt.finish());
    assertEquals(1, attempt.agent.logAtKeep().size());
    assertEquals(
        List.of("process.completed", "task.attempt.completed"), rig.types(rig.types(0).size() - 2));
    assertInstanceOf(RunState.Completed.class, rig.advance());
  }

  @Test
  void leavesNothingBehindWhenItWasTakenOverWhileItStored() {
    AttemptRig.Try zombie = rig.running("attempt-1");
    zombie.agent.storeSlowly();
    zombie.agent.succeed();
    zombie.step();
    rig.takenOver();
    zombie.agent.stored();

    assertEquals(Step.Verdict.FENCED, zombie.finish());

    assertEquals(List.of(), zombie.agent.logAtKeep());
  }

  @Test
  void waitsBetweenItsReadsWhenItWasTakenOverWhileItStored() {
    AttemptRig.Try zombie = rig.running("attempt-1");
    zombie.agent.storeSlowly();
    zombie.agent.succeed();
    zombie.step();
    rig.takenOver();

    int steps = zombie.during(LONG).size();

    assertTrue(steps < 5 * LONG.toSeconds() + 100, "steps: " + steps);
  }
}
