package dev.runyard.core.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.agent.Capabilities;
import dev.runyard.core.limits.Limits;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RunBoundsTest {
  private static final RunBounds TURNS = new RunBounds(3, null, null, null, null);
  private static final RunBounds TOKENS = new RunBounds(null, 9L, null, null, null);
  private static final RunBounds COST = new RunBounds(null, null, 0.5, null, null);
  private static final RunBounds TIMES = new RunBounds(null, null, null, 60, 90);

  @Test
  void anAgentMustReportWhatTheBoundIsOf() {
    assertEquals(List.of(Capabilities.TURN_LIMIT), TURNS.needs());
    assertEquals(List.of(Capabilities.TOKEN_LIMIT), TOKENS.needs());
    assertEquals(List.of(Capabilities.COST_LIMIT), COST.needs());
    assertEquals(List.of(), TIMES.needs());
    for (RunBounds bounds : List.of(TURNS, TOKENS, COST)) {
      assertTrue(bounds.metered());
    }
    assertFalse(TIMES.metered());
    assertFalse(RunBounds.NONE.metered());
  }

  @Test
  void aRunWaitsForAPersonAsLongAsItSaysOrADay() {
    assertEquals(90, TIMES.awaitSeconds());
    assertEquals(Limits.AWAIT_SECONDS_DEFAULT, RunBounds.NONE.awaitSeconds());
  }
}
