package dev.runyard.functions.sweep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.events.ScheduledEvent;
import dev.runyard.core.advance.Lanes;
import dev.runyard.core.fleet.StartFailure;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.run.RunState;
import dev.runyard.core.run.RunStatus;
import dev.runyard.core.sweep.OpenRuns;
import dev.runyard.core.sweep.SweepRuns;
import dev.runyard.functions.Twins;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class HandlerTest {
  private final Twins twins = new Twins();
  private final Handler handler =
      new Handler(
          new SweepRuns(
              new OpenRuns(twins.models, twins.advance(), _ -> true),
              twins.deadLetters,
              twins.streamFailures,
              twins.scale(),
              Lanes.one(),
              twins.clock),
          twins.clock,
          twins.jsonLog());

  @Test
  void endsARunWhoseTimeIsOver() {
    RunKey run = twins.running();
    twins.project().project(run);
    twins.clock.advance(Duration.ofMinutes(4));

    handler.handleRequest(new ScheduledEvent(), null);

    assertEquals(RunStatus.FAILED, twins.models.snapshot(run).orElseThrow().status());
    assertTrue(twins.logged().contains("\"failures\":0"));
  }

  @Test
  void movesARunOfAFailedRecordOn() {
    RunKey run = twins.running();
    twins.streamFailures.send(run, 0);

    handler.handleRequest(new ScheduledEvent(), null);

    assertTrue(twins.models.snapshot(run).isPresent());
    assertTrue(twins.streamFailures.runs().isEmpty());
  }

  @Test
  void startsRunnersForTheRunsThatWait() {
    twins.submitted();

    handler.handleRequest(new ScheduledEvent(), null);

    assertEquals(List.of(0), twins.fleet.started());
  }

  @ParameterizedTest
  @EnumSource(
      value = StartFailure.Cause.class,
      names = {"NO_IMAGE", "QUOTA"})
  void recordsInWaitingRunsWhyNoRunnerStartsAndEndsThemWhenThatLasts(StartFailure.Cause cause) {
    RunKey run = twins.submitted();
    twins.project().project(run);
    handler.handleRequest(new ScheduledEvent(), null);
    twins.fleet.stop("task-1", new StartFailure(cause, "simulated"));
    twins.fleet.refuse(Optional.of(new StartFailure(cause, "simulated")));

    failingSweeps(1);
    assertEquals(cause.wire(), twins.runs().load(run).blocked().orElseThrow().cause());
    assertTrue(twins.logged().contains("\"blocked\":true"));
    long told = twins.runs().load(run).sequence();
    failingSweeps((cause.secondsMax() - 1) / 60);
    assertFalse(twins.runs().load(run).closed());
    assertTrue(twins.runs().load(run).sequence() <= told + 4, "it was only queued again");
    failingSweeps(1);

    RunState.Failed ended = assertInstanceOf(RunState.Failed.class, twins.runs().load(run));
    assertEquals(Failure.RUNNER_START_FAILED, ended.error().code());
    assertEquals(
        cause == StartFailure.Cause.NO_IMAGE
            ? Limits.BROKEN_SECONDS_MAX
            : Limits.BLOCKED_SECONDS_MAX,
        cause.secondsMax());
  }

  @Test
  void namesEachDeadRunAndTheLongestWait() {
    RunKey run = twins.submitted();
    twins.project().project(run);
    twins.deadLetters.send(run, 0);
    twins.clock.advance(Duration.ofMinutes(12));

    handler.handleRequest(new ScheduledEvent(), null);

    assertTrue(twins.logged().contains("\"event\":\"dead_letter\",\"run_id\":\"" + run.runId()));
    assertTrue(twins.logged().contains("\"waited_seconds\":720"), twins.logged());
  }

  @Test
  void saysThatNoRunWaitsWhileOneIsWorkedOn() {
    twins.project().project(twins.running());
    twins.clock.advance(Duration.ofSeconds(59));

    handler.handleRequest(new ScheduledEvent(), null);

    assertTrue(twins.logged().contains("\"waited_seconds\":0"), twins.logged());
  }

  /// A run that waits for its session's first does not wait for a runner.
  @Test
  void leavesARunAloneWhoseTurnHasNotCome() {
    RunKey first = twins.submitted();
    RunKey second = twins.submitted();
    twins.project().project(first);
    twins.project().project(second);
    twins.fleet.refuse(Optional.of(new StartFailure(StartFailure.Cause.QUOTA, "limit")));

    failingSweeps(2);

    assertTrue(twins.runs().load(first).blocked().isPresent());
    assertTrue(twins.runs().load(second).blocked().isEmpty());
  }

  /// One each minute.
  private void failingSweeps(int count) {
    for (int i = 0; i < count; i++) {
      twins.clock.advance(Duration.ofMinutes(1));
      assertThrows(PartsFailed.class, () -> handler.handleRequest(new ScheduledEvent(), null));
    }
  }

  @Test
  void logsAPortThatDoesNotAnswerAndEndsWithAnError() {
    twins.streamFailures.send(twins.running(), 0);
    twins.log.begin(new PortUnavailable("no answer"));

    PartsFailed told =
        assertThrows(PartsFailed.class, () -> handler.handleRequest(new ScheduledEvent(), null));

    assertTrue(told.toString().contains("parts that failed: 1, runners start: yes"));
    assertTrue(twins.logged().contains("sweep_failed"));
    assertEquals(1, twins.streamFailures.runs().size());
  }

  @Test
  void beginsNothingInTheTimeItKeepsForItsLastCall() {
    RunKey run = twins.running();
    twins.streamFailures.send(run, 0);

    handler.handleRequest(new ScheduledEvent(), withMillis(Handler.SWEEP_RESERVE_MILLIS));
    assertEquals(1, twins.streamFailures.runs().size());
    assertTrue(twins.logged().contains("\"left\":true"));

    handler.handleRequest(new ScheduledEvent(), withMillis(Handler.SWEEP_RESERVE_MILLIS + 1));
    assertTrue(twins.streamFailures.runs().isEmpty());
  }

  private static Context withMillis(int left) {
    return (Context)
        Proxy.newProxyInstance(
            HandlerTest.class.getClassLoader(),
            new Class<?>[] {Context.class},
            (_, method, _) -> {
              assertEquals("getRemainingTimeInMillis", method.getName());
              return left;
            });
  }
}
