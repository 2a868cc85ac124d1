package dev.runyard.core.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.TaskBlocked;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.projection.SnapshotCodec;
import dev.runyard.core.request.InThread;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.request.RunRequest;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/// What this release makes of runs that a newer one accepted.
class RunFormTest {
  private static final Instant CREATED = SampleStates.CLAIMED;
  private final SampleStates samples = new SampleStates(RetryPolicy.NEVER);
  private final RunState newer = of(RunForm.CURRENT + 1);

  @Test
  void executesRunsOfItsOwnFormAndOfEarlierOnes() {
    assertEquals("task.attempt.started", claimed(samples.created()));
    assertEquals("task.attempt.started", claimed(of(RunForm.CURRENT)));
    assertEquals("task.attempt.started", claimed(of(RunForm.FIRST)));
  }

  @Test
  void claimsNoRunOfANewerForm() {
    assertEquals("NEWER", claimed(newer));
    assertEquals("NEWER", claimed(again(newer)), "also after an older release queued it again");
    RunState.Existing known = (RunState.Existing) newer;
    assertEquals(
        "NEWER",
        claimed(SnapshotCodec.decode(SnapshotCodec.encode(known))),
        "also when it was read from a snapshot");
  }

  @Test
  void tellsARunOfANewerFormOnceWhyItWaits() {
    Decision.Append told =
        assertInstanceOf(Decision.Append.class, advance(newer, CREATED.plusSeconds(1)));
    TaskBlocked why = assertInstanceOf(TaskBlocked.class, told.events().getFirst());
    assertEquals("newer_release", why.cause());
    assertEquals(Failure.NOT_STARTED, why.error().code());

    RunState waiting = SampleStates.then(newer, why);
    assertInstanceOf(Decision.Stay.class, advance(waiting, CREATED.plusSeconds(2)));
    assertEquals(
        "STAY",
        RunRulesTest.outcome(
            waiting,
            new RunCommand.Block("no_image", why.error(), CREATED, true, CREATED.plusSeconds(9))),
        "no other cause takes turns with it");
    assertEquals(
        "task.queued",
        RunRulesTest.outcome(
            waiting, new RunCommand.Advance(CREATED.plusSeconds(Limits.RESEND_SECONDS + 60))));
  }

  @Test
  void endsARunOfANewerFormThatWaitedInVainOrIsCancelled() {
    Decision.Append ended =
        assertInstanceOf(
            Decision.Append.class,
            advance(newer, CREATED.plusSeconds(Limits.QUEUED_SECONDS_MAX + 60)));
    RunEvent.TaskFailed failed =
        assertInstanceOf(RunEvent.TaskFailed.class, ended.events().getLast());
    assertTrue(failed.error().message().startsWith("A newer release of Runyard accepted the run"));
    assertEquals(
        "task.cancel_requested", RunRulesTest.outcome(newer, new RunCommand.Cancel("no more")));
  }

  @Test
  void writesNoWordForTheFirstForm() {
    assertNull(RunForm.stored(RunForm.FIRST));
    assertEquals(2, RunForm.stored(2));
    assertFalse(RunForm.newer(null));
  }

  @Test
  void isRaisedOnlyByARunThatNamesItsThread() {
    RunRequest plain = ((RunState.Existing) samples.created()).facts().request();
    assertEquals(RunForm.FIRST, RunForm.of(plain));
    assertEquals(RunForm.FIRST, RunForm.of(plain.in(InThread.of(null, "turn", null))));
    assertEquals(RunForm.NAMED_THREAD, RunForm.of(plain.in(InThread.of("thread", null, null))));
  }

  private static String claimed(RunState state) {
    return RunRulesTest.outcome(
        state, new RunCommand.Claim("attempt-1", "runner-1", "message-1", CREATED.plusSeconds(5)));
  }

  private static Decision advance(RunState state, Instant now) {
    return RunRules.decide(state, new RunCommand.Advance(now));
  }

  private static RunState again(RunState state) {
    return SampleStates.then(state, new RunEvent.TaskQueued(1, 0, 1));
  }

  private RunState of(int form) {
    return SampleStates.then(samples.created(), new RunEvent.TaskQueued(1, 0, 0, null, form));
  }
}
