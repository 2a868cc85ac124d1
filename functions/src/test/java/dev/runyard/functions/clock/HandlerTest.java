package dev.runyard.functions.clock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.events.ScheduledEvent;
import dev.runyard.core.clock.ClockSweep;
import dev.runyard.core.clock.OpenRuns;
import dev.runyard.core.drive.Lanes;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.run.RunKey;
import dev.runyard.core.run.RunStatus;
import dev.runyard.functions.Twins;
import java.lang.reflect.Proxy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class HandlerTest {
  private final Twins twins = new Twins();
  private final Handler handler =
      new Handler(
          new ClockSweep(
              new OpenRuns(twins.models, twins.drive()),
              twins.deadLetters,
              twins.parked,
              twins.scale(),
              Lanes.one(),
              twins.clock),
          twins.clock,
          twins.jsonLog());

  @Test
  void endsARunWhoseTimeIsOver() {
    RunKey run = twins.running();
    twins.project().project(run);
    twins.clock.advance(Duration.ofMinutes(2));

    handler.handleRequest(new ScheduledEvent(), null);

    assertEquals(RunStatus.FAILED, twins.models.snapshot(run).orElseThrow().status());
    assertTrue(twins.logged().contains("\"failures\":0"));
  }

  @Test
  void movesAParkedRunOn() {
    RunKey run = twins.running();
    twins.parked.send(run, 0);

    handler.handleRequest(new ScheduledEvent(), null);

    assertTrue(twins.models.snapshot(run).isPresent());
    assertTrue(twins.parked.runs().isEmpty());
  }

  /// The next minute tries again; a call that fails would be repeated beside it.
  @Test
  void logsAPortThatDoesNotAnswerAndReturns() {
    twins.parked.send(twins.running(), 0);
    twins.log.begin(new PortUnavailable("no answer"));

    handler.handleRequest(new ScheduledEvent(), null);

    assertTrue(twins.logged().contains("sweep_failed"));
    assertEquals(1, twins.parked.runs().size());
  }

  @Test
  void beginsNothingInTheTimeItKeepsForItsLastCall() {
    RunKey run = twins.running();
    twins.parked.send(run, 0);

    handler.handleRequest(new ScheduledEvent(), withMillis(Handler.SWEEP_RESERVE_MILLIS));
    assertEquals(1, twins.parked.runs().size());
    assertTrue(twins.logged().contains("\"left\":true"));

    handler.handleRequest(new ScheduledEvent(), withMillis(Handler.SWEEP_RESERVE_MILLIS + 1));
    assertTrue(twins.parked.runs().isEmpty());
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
