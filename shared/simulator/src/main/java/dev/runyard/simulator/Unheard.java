package dev.runyard.simulator;

import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Decisions that an agent waited for and was not given. A run whose agent waits for a person may
/// end for that, but not when the person has answered.
final class Unheard {
  /// What a runner takes at most to see a decision and to write that its agent took it, while
  /// nothing holds it up.
  private static final Duration HEARD_MAX = Duration.ofSeconds(30);

  private Unheard() {}

  /// True if a decision was made, and not because the attempt that asked had ended; the last agent
  /// of the run had been there for long before its end, and never took the decision.
  ///
  /// @param asks whether that agent waits for a decision: one that began anew may have asked for
  ///   nothing that was decided before
  /// @param excused for how long its runner was held up, or clocks may differ
  static boolean any(List<StoredEvent> events, boolean asks, Duration excused) {
    Map<String, Instant> decided = new HashMap<>();
    @Nullable Instant started = null;
    @Nullable Instant over = null;
    for (StoredEvent stored : events) {
      switch (stored.event()) {
        case RunEvent.ActionResolved resolved
            when resolved.decision() != ActionDecision.CANCELLED ->
            decided.put(resolved.actionId(), stored.timestamp());
        case RunEvent.ProcessInput input when input.actionId() != null ->
            decided.remove(input.actionId());
        case RunEvent.AttemptStarted attempt -> {
          started = null;
          if (!attempt.continuation() && !asks) {
            decided.clear();
          }
        }
        case RunEvent.ProcessStarted _ -> started = stored.timestamp();
        case RunEvent.AttemptEnd _ -> over = stored.timestamp();
        case RunEvent.StateChange _,
            RunEvent.Output _,
            RunEvent.Interaction _,
            RunEvent.Notice _ -> {}
      }
    }
    if (started == null || over == null) {
      return false;
    }
    Instant there = started;
    Instant late = over.minus(HEARD_MAX).minus(excused);
    return there.isBefore(late) && decided.values().stream().anyMatch(late::isAfter);
  }
}
