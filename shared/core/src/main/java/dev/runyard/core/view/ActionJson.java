package dev.runyard.core.view;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.ids.ActionId;
import dev.runyard.core.interaction.Action;
import dev.runyard.core.json.JsonFormat;

/// An action as clients of the native API see it. Every member is always present; an unknown value
/// is null.
public final class ActionJson {
  private ActionJson() {}

  public static ObjectNode of(Action action) {
    Action.Resolution resolution = action.resolution();
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("action_id", action.actionId());
    json.put("run_id", ActionId.runId(action.actionId()).orElse(null));
    json.put("type", action.actionType().wire());
    json.put("status", resolution == null ? "pending" : "decided");
    json.put("prompt", action.prompt());
    json.set("schema", action.schema());
    action.choices().forEach(json.putArray("choices")::add);
    action.actionType().decisions().stream()
        .map(ActionDecision::wire)
        .forEach(json.putArray("decisions")::add);
    json.put("tool_call_id", action.toolCallId());
    json.set("payload", action.payload());
    json.put("required_at", JsonFormat.time(action.requiredAt()));
    json.put("expires_at", JsonFormat.time(action.expiresAt()));
    json.put("decision", resolution == null ? null : resolution.decision().wire());
    json.set("answer", resolution == null ? null : resolution.payload());
    json.put("decided_by", resolution == null ? null : resolution.by());
    json.put("decided_at", resolution == null ? null : JsonFormat.time(resolution.at()));
    return json;
  }
}
