package dev.runyard.core.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.message.OutputPart;
import dev.runyard.core.request.RetryPolicy;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What is said of a run in each of its states, and what of it is shown where.
class RunFactsTest {
  private final SampleStates samples = new SampleStates(RetryPolicy.NEVER);

  @Test
  void hasAPhaseInEveryState() {
    new StateTable(
            """
            absent: absent
            created, resuming, decided: queued
            retrying: retrying
            claimed: preparing
            running, exited, succeeded, failed, answered: running
            asked, asked-failed, paused: waiting_input
            cancelling-idle, cancelling-claimed, cancelling-running: cancelling
            cancelling-exited, cancelling-succeeded, cancelling-failed: cancelling
            Completed: completed
            Failed: failed
            Cancelled: cancelled
            """)
        .check(samples.all(), RunState::phase);
  }

  @Test
  void isBlockedOnlyWhileItWaitsForARunner() {
    for (Map.Entry<String, RunState> state : samples.all().entrySet()) {
      assertEquals(Optional.empty(), state.getValue().blocked(), state.getKey());
    }
  }

  @Test
  void aListShowsTheBeginningOfWhatTheAgentSaidLast() {
    RunState said =
        SampleStates.then(
            samples.running(),
            new RunEvent.ModelDelta("a".repeat(100)),
            new RunEvent.ModelCompleted(),
            new RunEvent.ModelDelta("more"));

    RunFacts brief = facts(said).brief(64);

    String text = brief.finalText();
    assertEquals(Bounds.truncate("a".repeat(100), 64), text);
    assertEquals("", brief.request().prompt());
    assertNull(facts(samples.running()).brief(64).finalText());
  }

  @Test
  void contentThatIsNotTextIsNotWhatTheAgentSaid() {
    RunState said =
        SampleStates.then(
            samples.running(),
            new RunEvent.ModelDelta("aGk=", part("image/png")),
            new RunEvent.ModelDelta("see ", part("text/markdown")),
            new RunEvent.ModelDelta("above"));

    assertEquals("see above", facts(said).finalText());
  }

  private static OutputPart part(String type) {
    return new OutputPart(type, null, null, null, null, null, null);
  }

  private static RunFacts facts(RunState state) {
    return assertInstanceOf(RunState.Existing.class, state).facts();
  }
}
