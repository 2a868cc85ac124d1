package dev.runyard.core.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.request.RetryPolicy;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/// How what was decided becomes events of the run's log.
class RunStreamTest {
  private static final Instant NOW = SampleStates.CLAIMED.plusSeconds(30);
  private final RunStream runs = new RunStream(RunDecider.rules());
  private final SampleStates samples = new SampleStates(RetryPolicy.NEVER);

  @Test
  void numbersEventsFromTheNextPlaceOn() {
    List<StoredEvent> events = events(samples.created(), new RunCommand.Cancel("enough"));

    assertEquals(4, events.getFirst().sequence());
    assertEquals("session-1", events.getFirst().sessionId());
    assertEquals(NOW, events.getFirst().timestamp());
  }

  @Test
  void aNewRunIsInTheSessionOfItsRequest() {
    RunCommand submit = new RunCommand.Submit(SampleStates.request(RetryPolicy.NEVER));

    for (StoredEvent event : events(RunState.absent(), submit)) {
      assertEquals("session-1", event.sessionId());
      assertNull(event.attemptId());
    }
  }

  @Test
  void namesTheAttemptFromItsStartToItsEnd() {
    RunCommand claim = new RunCommand.Claim("attempt-1", "runner", "ticket", NOW);
    assertEquals("attempt-1", events(samples.created(), claim).getFirst().attemptId());

    RunCommand cancel = new RunCommand.Cancel("enough");
    assertNull(events(samples.created(), cancel).getFirst().attemptId());
    assertEquals("attempt-1", events(samples.running(), cancel).getFirst().attemptId());
    assertNull(events(samples.paused(), cancel).getFirst().attemptId());
  }

  @Test
  void whatIsRefusedAppendsNothing() {
    assertEquals(List.of(), events(samples.running(), new RunCommand.Advance(NOW)));
  }

  private List<StoredEvent> events(RunState state, RunCommand command) {
    Decision decision = runs.decide(state, command);
    return runs.events(SampleStates.RUN, state, command, decision, NOW);
  }
}
