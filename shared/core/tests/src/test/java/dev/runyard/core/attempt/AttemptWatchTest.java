package dev.runyard.core.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.run.RunFold;
import dev.runyard.core.run.RunState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class AttemptWatchTest {
  private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");
  private static final Instant LATER = START.plusSeconds(Limits.IDLE_SECONDS_DEFAULT);
  private static final RunKey RUN = new RunKey("acme", "019c0000-0000-7000-8000-000000000001");

  private final RunState.Existing state = state();
  private final AttemptWatch watch = new AttemptWatch(state.facts(), START);

  /// However many tools an agent says it runs, only so many are known.
  @Test
  void forgetsTheOldestOfTooManyTools() {
    for (int i = 0; i <= AttemptWatch.TOOLS_MAX; i++) {
      told(new RunEvent.ToolStarted("t-" + i, "sh", "tool_use", null));
    }
    assertEquals(Optional.empty(), watch.crossed(state, LATER));

    for (int i = 1; i <= AttemptWatch.TOOLS_MAX; i++) {
      told(new RunEvent.ToolResult("t-" + i, "sh", "tool_use", 0, "", 0));
    }

    assertEquals(Optional.of(Failure.IDLE_TIMEOUT), watch.crossed(state, LATER).map(Failure::code));
  }

  private void told(RunEvent event) {
    watch.told(new AgentSignal.Output(event), START);
  }

  private static RunState.Existing state() {
    RunEvent created =
        new RunEvent.TaskCreated(
            "echo",
            Map.of(),
            List.of(),
            null,
            60,
            Map.of(),
            Map.of(),
            RetryPolicy.NEVER,
            null,
            null,
            null,
            null,
            null,
            null);
    StoredEvent first = new StoredEvent(RUN, "session-1", null, 1, START, created);
    return assertInstanceOf(RunState.Existing.class, RunFold.evolve(RunState.absent(), first));
  }
}
