package dev.runyard.functions.clock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.lambda.runtime.events.ScheduledEvent;
import dev.runyard.core.clock.ClockSweep;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.run.RunKey;
import dev.runyard.core.run.RunStatus;
import dev.runyard.functions.Twins;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class HandlerTest {
  private final Twins twins = new Twins();
  private final Handler handler =
      new Handler(
          new ClockSweep(
              twins.models,
              twins.drive(),
              twins.project(),
              twins.deadLetters,
              twins.parked,
              twins.scale(),
              twins.clock),
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

  @Test
  void failsWhenAPortDoesNotAnswer() {
    twins.parked.send(twins.running(), 0);
    twins.log.begin(new PortUnavailable("no answer"));

    assertThrows(PortUnavailable.class, () -> handler.handleRequest(new ScheduledEvent(), null));
    assertTrue(twins.logged().contains("sweep_failed"));
    assertEquals(1, twins.parked.runs().size());
  }
}
