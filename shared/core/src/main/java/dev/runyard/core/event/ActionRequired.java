package dev.runyard.core.event;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The agent needs a person's decision, one of `decisions`, which events from before do not name.
/// If not decided by `expiresAt`, it counts as refused. `toolCallId` is the call that waits for it,
/// if the agent says which.
@EventType("action.required")
public record ActionRequired(
    String actionId,
    ActionType actionType,
    String prompt,
    @Nullable JsonNode schema,
    List<String> choices,
    int timeoutSeconds,
    Instant expiresAt,
    @Nullable JsonNode payload,
    @Nullable List<ActionDecision> decisions,
    @Nullable String toolCallId)
    implements RunEvent.Request, InEnvelope.ToolCallId {
  public ActionRequired {
    decisions = decisions == null ? null : List.copyOf(decisions);
  }

  public ActionRequired(
      String actionId,
      ActionType actionType,
      String prompt,
      @Nullable JsonNode schema,
      List<String> choices,
      int timeoutSeconds,
      Instant expiresAt,
      @Nullable JsonNode payload) {
    this(
        actionId,
        actionType,
        prompt,
        schema,
        choices,
        timeoutSeconds,
        expiresAt,
        payload,
        actionType.decisions(),
        null);
  }
}
