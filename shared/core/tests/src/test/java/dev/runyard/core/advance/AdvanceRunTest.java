package dev.runyard.core.advance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.queue.Ticket;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunState;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class AdvanceRunTest extends AdvanceRig {
  private static final RetryPolicy TWICE = new RetryPolicy(2, List.of("*"), 0);
  private static final RunEvent FAILED =
      new RunEvent.AttemptFailed(1, "attempt-1", Failure.backend("broke", "It broke."));

  @Test
  void onlyARunThatNobodyHasWantsARunner() {
    assertFalse(advance.wantsRunner(RunState.absent()));
    RunKey run = submitted("");
    assertTrue(advance.wantsRunner(state(run)));
    cancel(run);
    assertInstanceOf(RunState.CancellingIdle.class, state(run));
    assertFalse(advance.wantsRunner(state(run)));

    RunKey claimed = claimed(TWICE);
    assertFalse(advance.wantsRunner(state(claimed)));
    report(claimed, FAILED);
    RunState.Retrying retrying =
        assertInstanceOf(RunState.Retrying.class, advance.advance(claimed));
    assertTrue(advance.wantsRunner(retrying));

    RunKey paused = claimed(RetryPolicy.NEVER);
    report(paused, new RunEvent.TaskPaused(1, "attempt-1", "awaiting"));
    assertInstanceOf(RunState.Paused.class, state(paused));
    assertFalse(advance.wantsRunner(state(paused)));

    RunKey cancelling = claimed(RetryPolicy.NEVER);
    cancel(cancelling);
    assertInstanceOf(RunState.Cancelling.class, state(cancelling));
    assertFalse(advance.wantsRunner(state(cancelling)));
    report(cancelling, FAILED);
    RunState ended = advance.advance(cancelling);
    assertInstanceOf(RunState.Cancelled.class, ended);
    assertFalse(advance.wantsRunner(ended));
  }

  @Test
  void aRunThatWaitsForItsTurnWantsNoRunner() {
    submitted("s-1");
    RunKey second = submitted("s-1");

    assertFalse(advance.wantsRunner(state(second)));
  }

  @Test
  void anEndedAttemptIsFollowedByTheNextInOneCall() {
    RunKey run = claimed(TWICE);
    received();
    report(run, FAILED);

    RunState after = advance.advance(run);

    assertEquals(runs.load(run), after);
    assertEquals(List.of(run), received());
  }

  @Test
  void aDeadLetterOfAWaitingRunIsSentAgain() {
    RunKey run = submitted("");
    received();

    RunState after = advance.undelivered(run);

    assertEquals(runs.load(run), after);
    assertEquals(List.of(run), received());
  }

  @Test
  void aDeadLetterEndsARunWhoseTimeIsOverAndReleasesTheNext() {
    RunKey first = submitted("s-1");
    RunKey second = submitted("s-1");
    received();
    clock.advance(Duration.ofSeconds(Limits.QUEUED_SECONDS_MAX));

    assertInstanceOf(RunState.Failed.class, advance.undelivered(first));

    assertEquals(List.of(second), received());
  }

  @Test
  void aRunThatWaitsIsToldWhyNoRunnerStarts() {
    RunKey run = submitted("");

    RunState told = advance.block(run, block());

    assertEquals(runs.load(run), told);
    assertEquals("no_image", told.blocked().orElseThrow().cause());
  }

  @Test
  void aRunThatWaitsForItsTurnOrHasARunnerIsToldNothing() {
    submitted("s-1");
    RunKey second = submitted("s-1");
    RunState.Existing before = state(second);
    assertEquals(before, advance.block(second, block()));
    assertEquals(before, state(second));

    RunKey claimed = claimed(RetryPolicy.NEVER);
    assertEquals(state(claimed), advance.block(claimed, block()));
  }

  @Test
  void aRunThatIsBlockedForLongEndsAndReleasesTheNext() {
    RunKey first = submitted("s-1");
    RunKey second = submitted("s-1");
    advance.block(first, block());
    received();
    RunCommand.Block before = block();
    clock.advance(Duration.ofSeconds(Limits.BLOCKED_SECONDS_MAX));

    RunState ended =
        advance.block(
            first, new RunCommand.Block("no_image", WHY, before.since(), true, clock.instant()));

    assertInstanceOf(RunState.Failed.class, ended);
    assertEquals(List.of(second), received());
  }

  private List<RunKey> received() {
    List<Ticket> tickets = ports.queue().receive(RunQueue.RECEIVE_MAX, 0);
    tickets.forEach(ports.queue()::delete);
    return tickets.stream().map(Ticket::run).toList();
  }
}
