package dev.runyard.core.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class EventTypesTest {
  private static final RunEvent UNKNOWN =
      new RunEvent.Other("later.added", JsonNodeFactory.instance.objectNode());

  /// Written at once, with the state they lead to in their chunk; what is missing here would reach
  /// the stream functions late or never.
  @Test
  void theseMoveARunOn() {
    assertEquals(
        List.of(
            "action.required",
            "action.resolved",
            "channel.disconnected",
            "permission.requested",
            "permission.resolved",
            "process.completed",
            "process.failed",
            "process.started",
            "process.terminated",
            "task.attempt.completed",
            "task.attempt.failed",
            "task.attempt.started",
            "task.cancel_requested",
            "task.cancelled",
            "task.completed",
            "task.created",
            "task.failed",
            "task.lost",
            "task.paused",
            "task.queued",
            "task.resumed",
            "task.retrying",
            "task.timed_out",
            "task.waiting",
            "turn.completed",
            "turn.failed",
            "turn.started",
            "turn.submitted"),
        names(EventTypes::changesState));
    assertFalse(EventTypes.changesState(UNKNOWN));
  }

  /// Counted by an attempt that goes on where another stood: one too many or too few repeats what
  /// was told or leaves it out.
  @Test
  void theseAreTheAgentsOwnWords() {
    assertEquals(
        List.of(
            "artifact.changed",
            "cost.recorded",
            "model.completed",
            "model.delta",
            "output.spilled",
            "output.truncated",
            "reasoning.delta",
            "runtime.error",
            "runtime.warning",
            "session.updated",
            "task.progress",
            "tool.failed",
            "tool.progress",
            "tool.result",
            "tool.started"),
        names(EventTypes::isOutput));
    assertTrue(EventTypes.isOutput(UNKNOWN));
  }

  /// None of them shows an attempt alive: a client, `advance` or `sweep` wrote it.
  @Test
  void theseAreToldByOthersThanTheAttempt() {
    assertEquals(
        List.of(
            "action.resolved",
            "channel.disconnected",
            "channel.message",
            "permission.resolved",
            "task.blocked",
            "task.cancel_requested",
            "task.cancelled",
            "task.completed",
            "task.created",
            "task.failed",
            "task.lost",
            "task.queued",
            "task.resumed",
            "task.retrying",
            "task.timed_out",
            "turn.completed",
            "turn.failed",
            "turn.submitted"),
        names(event -> !EventTypes.byAttempt(event)));
    assertTrue(EventTypes.byAttempt(UNKNOWN));
  }

  @Test
  void everyNameHasASample() {
    assertEquals(EventTypes.names(), names(_ -> true));
  }

  private static List<String> names(Predicate<RunEvent> of) {
    return SampleEvents.all().stream()
        .filter(event -> !(event instanceof RunEvent.Other))
        .filter(of)
        .map(EventTypes::nameOf)
        .distinct()
        .sorted()
        .toList();
  }
}
