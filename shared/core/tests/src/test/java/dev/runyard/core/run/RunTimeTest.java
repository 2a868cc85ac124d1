package dev.runyard.core.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.request.RetryPolicy;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class RunTimeTest {
  private static final Instant CLAIMED = Instant.parse("2026-03-01T12:00:00Z");

  @Test
  void endsAfterTheSecondsThatWereAskedFor() {
    assertEquals(CLAIMED.plusSeconds(7), facts(7).stopAt(CLAIMED));
  }

  @Test
  void zeroLeavesTheLongestRunTimeOnly() {
    assertEquals(CLAIMED.plusSeconds(Limits.RUN_SECONDS_MAX), facts(0).stopAt(CLAIMED));
  }

  private static RunFacts facts(int timeoutSeconds) {
    RunState created =
        SampleStates.fold(
            RunState.absent(),
            CLAIMED,
            new RunEvent.TaskCreated(
                "echo",
                Map.of(),
                List.of(),
                null,
                timeoutSeconds,
                Map.of(),
                Map.of(),
                RetryPolicy.NEVER));
    return assertInstanceOf(RunState.Created.class, created).facts();
  }
}
