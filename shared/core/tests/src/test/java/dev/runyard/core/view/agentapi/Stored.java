package dev.runyard.core.view.agentapi;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.request.RetryPolicy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Stored events of one run, numbered as they are asked for.
final class Stored {
  static final RunKey RUN = new RunKey("default", "019c0000-0000-7000-8000-000000000001");
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  private Stored() {}

  static StoredEvent one(RunEvent event) {
    return all(event).getFirst();
  }

  static List<StoredEvent> all(RunEvent... events) {
    List<StoredEvent> stored = new ArrayList<>();
    for (RunEvent event : events) {
      stored.add(new StoredEvent(RUN, "s-1", "a-1", stored.size() + 1, NOW, event));
    }
    return stored;
  }

  /// A run whose agent was started, and what followed.
  static List<StoredEvent> started(RunEvent... events) {
    List<RunEvent> all =
        new ArrayList<>(
            List.of(
                new RunEvent.TaskCreated(
                    "codex", Map.of(), List.of(), null, 600, Map.of(), Map.of(), RetryPolicy.NEVER),
                new RunEvent.TurnSubmitted("do it"),
                new RunEvent.TaskQueued(1, 0, 0),
                new RunEvent.AttemptStarted(1, "a-1", "r-1", "t-1"),
                new RunEvent.TurnStarted(1),
                new RunEvent.ProcessStarted("p-1", "codex")));
    all.addAll(List.of(events));
    return all(all.toArray(RunEvent[]::new));
  }
}
