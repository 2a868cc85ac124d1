package dev.runyard.core.quota;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.ActionRequired;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.TaskWaiting;
import dev.runyard.core.ids.ActionId;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunState;
import dev.runyard.core.session.TurnOrder;
import dev.runyard.core.submit.SubmitRun;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class RunPlacesTest extends QuotaRig {
  @BeforeEach
  void onePlace() {
    limit(QuotaLimit.RUNNING_RUNS, 1);
  }

  @Test
  void sendsAsManyAsThereArePlacesAndTheNextWhenOneEnds() {
    RunKey first = submitted();
    RunKey second = submitted();
    RunKey third = submitted();

    sent(first);
    assertTrue(held(second) && held(third));
    assertFalse(advance().wantsRunner(state(second)), "no runner is started for it");
    end(first);
    sent(first, second);
    assertFalse(held(second));
    end(second);
    sent(first, second, third);
    end(third);
    assertEquals(Set.of(), use().placed());
    assertEquals(List.of(), ports.held().first(TENANT, 10));
  }

  @Test
  void tenantsDoNotWaitForEachOther() {
    submitted();
    submitted();
    RunKey other =
        accepted(
            cases
                .submitRun()
                .submit(new SubmitRun.By("other", "somebody"), request(), Optional.empty()));

    assertTrue(ports.queue().runs().contains(other));
  }

  @Test
  void aRunThatIsHeldDoesNotFailAsOneThatNoRunnerTakes() {
    submitted();
    RunKey second = submitted();
    clock.advance(Duration.ofSeconds(2L * Limits.QUEUED_SECONDS_MAX));

    advance().advance(second);

    assertTrue(held(second));
  }

  @Test
  void aRunThatIsCancelledWhileItIsHeldEnds() {
    RunKey first = submitted();
    RunKey second = submitted();
    RunKey third = submitted();
    cases.cancelRun().cancel(second, "enough", "somebody");
    advance().advance(second);

    assertInstanceOf(RunState.Cancelled.class, state(second));
    end(first);
    sent(first, third);
  }

  @Test
  void turnsOfASessionComeBeforePlaces() {
    RunKey begins = accepted(submit(request("s-1", 60, RetryPolicy.NEVER), Optional.empty()));
    RunKey next = accepted(submit(request("s-1", 60, RetryPolicy.NEVER), Optional.empty()));
    RunKey other = submitted();

    assertFalse(held(next), "it waits for its turn");
    assertTrue(held(other));
    end(begins);
    assertTrue(held(next) || held(other));
    end(ports.queue().runs().getLast());
    sent(begins, other, next);
  }

  @Test
  void aPausedRunGivesItsPlaceUpAndContinuesWhetherThereIsOneOrNot() {
    RunKey first = submitted();
    RunKey second = submitted();
    String action = ActionId.of(first, 1);
    start(first);
    report(
        first,
        new RunEvent.ProcessStarted("process", "echo"),
        new ActionRequired(
            action,
            ActionType.QUESTION,
            "Which?",
            null,
            List.of(),
            600,
            clock.instant().plusSeconds(600),
            null),
        new TaskWaiting(action, ActionType.QUESTION.phase()),
        new RunEvent.TaskPaused(1, attempt(first), "awaiting"));

    advance().advance(first);

    sent(first, second);
    runs()
        .execute(
            first,
            new RunCommand.Resolve(
                action, ActionDecision.ANSWER, TextNode.valueOf("left"), "me", clock.instant()));
    advance().advance(first);
    assertEquals(Set.of(first.runId(), second.runId()), use().placed());
    RunKey third = submitted();
    end(second);
    assertTrue(held(third), "there are two for one place");
  }

  @Test
  void aLowerLimitTakesNoPlaceAway() {
    limit(QuotaLimit.RUNNING_RUNS, 2);
    RunKey first = submitted();
    RunKey second = submitted();
    RunKey third = submitted();
    limit(QuotaLimit.RUNNING_RUNS, 1);

    sent(first, second);
    end(first);
    assertTrue(held(third));
    end(second);
    sent(first, second, third);
  }

  /// The function that ended the first run died before it sent the second.
  @Test
  void whoeverDiedBeforeThePlaceWasPassedOnIsRepeatedOrMadeGoodByTheSweep() {
    RunKey first = submitted();
    RunKey second = submitted();
    finish(first, 0, 0);
    runs().execute(first, new RunCommand.Advance(clock.instant()));
    assertInstanceOf(RunState.Completed.class, state(first));
    sent(first);

    repair();
    sent(first, second);
    advance().advance(first);
    assertEquals(Set.of(second.runId()), use().placed());
  }

  /// A function that is late takes a place for a run that has ended.
  @Test
  void aPlaceTakenForARunThatHasEndedIsGivenBack() {
    RunKey first = submitted();
    RunState.Existing before = state(first);
    end(first);

    cases.turnOrder().send(before, 0);

    assertEquals(Set.of(), use().placed());
    ports.uses().place(first, 1);
    RunKey second = submitted();
    assertTrue(held(second));
    repair();
    assertFalse(held(second));
    assertEquals(Set.of(second.runId()), use().placed());
  }

  /// The function died between the refusal of a place and the record of it.
  @Test
  void aRunThatIsNowhereToBeFoundIsSentAgain() {
    RunKey first = submitted();
    RunKey second = submitted();
    ports.held().remove(second);
    end(first);
    sent(first);

    clock.advance(Duration.ofSeconds(Limits.RESEND_SECONDS_MAX));
    advance().advance(second);

    sent(first, second);
  }

  @Test
  void aPlaceThatIsFreedWhileARunIsHeldIsNotMissed() {
    RunKey first = submitted();
    finish(first, 0, 0);
    HeldRuns late =
        new HeldRuns() {
          @Override
          public void add(RunKey run) {
            advance().advance(first);
            ports.held().add(run);
          }

          @Override
          public List<RunKey> first(String tenant, int most) {
            return ports.held().first(tenant, most);
          }

          @Override
          public void remove(RunKey run) {
            ports.held().remove(run);
          }

          @Override
          public Optional<String> nextTenant(String after) {
            return ports.held().nextTenant(after);
          }
        };
    limit(QuotaLimit.OPEN_RUNS, 9);
    RunKey second = submitted();
    Quotas quotas = Quotas.all(new Quota(Map.of(QuotaLimit.RUNNING_RUNS, 1L)));
    limit(QuotaLimit.RUNNING_RUNS, 1);

    RunState.Existing now =
        new RunPlaces(quotas, new RunPlaces.Counts(ports.uses(), late), runs(), ports.queue())
            .send(state(second), 0);

    assertFalse(now instanceof RunState.Created created && created.waiting().held());
    assertEquals(Set.of(second.runId()), use().placed());
  }

  @Test
  void aLimitThatIsRemovedHoldsNobody() {
    RunKey first = submitted();
    RunKey second = submitted();
    limit(QuotaLimit.OPEN_RUNS, 9);

    repair();

    sent(first, second);
    assertFalse(held(second));
    assertEquals(Set.of(first.runId()), use().placed(), "nobody takes places any more");
  }

  @Test
  void aLimitThatIsLiftedHoldsNobody() {
    RunKey first = submitted();
    RunKey second = submitted();
    limit(QuotaLimit.RUNNING_RUNS, 10);

    repair();

    sent(first, second);
    TurnOrder order = cases.turnOrder();
    assertTrue(order.mayBeFirst(state(second)));
  }

  private void repair() {
    assertTrue(cases.quotaRepair().repair(Instant.MAX));
  }
}
