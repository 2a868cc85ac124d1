package dev.runyard.core.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.core.request.RetryPolicy;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class EventSizeTest {
  private static final String LONG = "ä".repeat(10_000);

  @Test
  void isEnoughForEveryType() {
    for (StoredEvent event : EnvelopeTest.stored()) {
      int size = EventSize.atMost(event.event());
      int envelope = event.type().endsWith(".delta") ? 1024 : 0;
      assertTrue(
          size + envelope >= EventCodec.RUNS.encode(List.of(event)).length,
          event.type() + " " + size);
    }
  }

  @Test
  void countsTheTextOfADeltaAlone() {
    assertEquals(30_000, EventSize.atMost(new RunEvent.ModelDelta(LONG)));
    assertEquals(30_000, EventSize.atMost(new RunEvent.ReasoningDelta(LONG)));
  }

  @Test
  void countsTextWhereverItIs() {
    var data = JsonNodeFactory.instance.objectNode().put("text", LONG);
    PlanEntry step = new PlanEntry(LONG, PlanEntry.Status.PENDING);

    assertEquals(
        1024 + 3 * 4 + 30_000, EventSize.atMost(new RunEvent.RuntimeWarning("code", LONG)));
    assertTrue(EventSize.atMost(new RunEvent.TaskProgress(List.of(step, step))) > 60_000);
    assertTrue(EventSize.atMost(new RunEvent.Other("later.added", data)) > 30_000);
    assertTrue(EventSize.atMost(new RunEvent.ChannelDisconnected(List.of(LONG, LONG))) > 60_000);
    assertTrue(EventSize.atMost(created(Map.of(LONG, "", "A", LONG))) > 60_000);
  }

  private static RunEvent created(Map<String, String> env) {
    return new RunEvent.TaskCreated(
        "echo", Map.of(), List.of(), null, 60, env, Map.of(), RetryPolicy.NEVER);
  }
}
