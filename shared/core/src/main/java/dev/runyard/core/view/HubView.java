package dev.runyard.core.view;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.event.ActionRequired;
import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.message.OutputPart;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A run in the terms of the Agent Protocol's hub: each event in the envelope `{id, timestamp,
/// context, event}`. The run is the harness, and its agent's execution has the run's id, to which
/// messages can be sent. What the protocol has no event for is left out.
public final class HubView implements View {
  public static final String NAME = "hub";

  /// The type of stored events for what an agent emitted and the log has no event type for.
  public static final String KEPT = "process.output";

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private @Nullable Beginning beginning;

  /// What the run's first event says and later ones need.
  private record Beginning(String agent, Instant at) {}

  /// What an agent emitted, to be stored unchanged; if it is too large, it is replaced by a note.
  public static RunEvent kept(ObjectNode event, ObjectNode scope) {
    ObjectNode payload = JSON.objectNode().put("channel", NAME);
    String type = event.path("type").asText();
    JsonNode bounded = Bounds.data(event, Bounds.DATA_BYTES_MAX);
    payload.set("event", bounded.equals(event) ? event : ((ObjectNode) bounded).put("type", type));
    payload.set("scope", scope);
    return new RunEvent.Other(KEPT, payload);
  }

  @Override
  public Past past() {
    return Past.FIRST_EVENT;
  }

  @Override
  public List<RenderedEvent> render(StoredEvent stored) {
    if (stored.event() instanceof RunEvent.TaskCreated created) {
      beginning = new Beginning(created.agent(), stored.timestamp());
    }
    ObjectNode event = event(stored);
    return event == null
        ? List.of()
        : List.of(
            new RenderedEvent(event.path("type").asText(), envelope(stored, event).toString()));
  }

  private Beginning begun() {
    if (beginning == null) {
      throw new IllegalStateException("the run's first event was not seen");
    }
    return beginning;
  }

  private ObjectNode envelope(StoredEvent stored, ObjectNode event) {
    ObjectNode json = JSON.objectNode();
    json.put("id", EventCodec.id(stored));
    json.put("timestamp", JsonFormat.time(stored.timestamp()));
    ObjectNode context = json.putObject("context").put("sessionId", stored.sessionId());
    if (event.path("type").asText().startsWith("agent:")) {
      context.putObject("agent").put("name", begun().agent());
    }
    if (stored.event() instanceof RunEvent.Other other
        && other.payload().path("scope") instanceof ObjectNode scope) {
      context.setAll(scope);
    }
    json.set("event", event);
    return json;
  }

  private @Nullable ObjectNode event(StoredEvent stored) {
    String agent = begun().agent();
    String runId = stored.run().runId();
    return switch (stored.event()) {
      case RunEvent.TaskCreated _ -> type("harness:start").put("name", agent);
      case RunEvent.AttemptStarted started ->
          started.continuation()
              ? null
              : type("agent:start").put("agentName", agent).put("runId", runId);
      case RunEvent.AttemptCompleted _ -> complete(true, runId);
      case RunEvent.AttemptFailed _ -> complete(false, runId);
      case RunEvent.ModelDelta delta -> text(delta, runId);
      case RunEvent.ReasoningDelta delta ->
          type("agent:thinking").put("content", delta.text()).put("runId", runId);
      case RunEvent.ToolStarted tool ->
          type("agent:tool:start")
              .put("toolName", tool.name())
              .put("input", tool.input())
              .put("runId", runId);
      case RunEvent.ToolResult tool -> result(tool.name(), tool.preview(), false, runId);
      case RunEvent.ToolFailed tool -> result(tool.name(), tool.preview(), true, runId);
      case ActionRequired action -> prompt(action);
      case RunEvent.ActionResolved action -> reply(action);
      case RunEvent.ChannelMessage message ->
          type("session:message").put("content", message.content()).put("runId", runId);
      case RunEvent.CancelRequested cancel -> type("session:abort").put("reason", cancel.reason());
      case RunEvent.TaskCompleted _ -> ended(true, stored);
      case RunEvent.Terminal _ -> ended(false, stored);
      case RunEvent.Other other ->
          other.type().equals(KEPT) && other.payload().path("event") instanceof ObjectNode event
              ? event
              : null;
      case RunEvent.Scheduling _,
          RunEvent.Execution _,
          RunEvent.TurnEnd _,
          RunEvent.Output _,
          RunEvent.Interaction _,
          RunEvent.Notice _ ->
          null;
    };
  }

  /// Content that is not text has its own member, so that `content` can be shown unchanged.
  private static ObjectNode text(RunEvent.ModelDelta delta, String runId) {
    OutputPart part = delta.part();
    boolean textual = part == null || part.textual();
    ObjectNode event =
        type("agent:text").put("content", textual ? delta.text() : "").put("runId", runId);
    if (part != null) {
      ObjectNode about = JsonFormat.JSON.valueToTree(part);
      event.set("part", textual ? about : about.put("content", delta.text()));
    }
    return event;
  }

  private ObjectNode complete(boolean success, String runId) {
    return type("agent:complete")
        .put("agentName", begun().agent())
        .put("success", success)
        .put("runId", runId);
  }

  private static ObjectNode result(
      String toolName, @Nullable String result, boolean isError, String runId) {
    return type("agent:tool:complete")
        .put("toolName", toolName)
        .put("result", result)
        .put("isError", isError)
        .put("runId", runId);
  }

  private static ObjectNode prompt(ActionRequired action) {
    ObjectNode event =
        type("session:prompt").put("promptId", action.actionId()).put("prompt", action.prompt());
    if (!action.choices().isEmpty()) {
      action.choices().forEach(event.putArray("choices")::add);
    }
    return event.put("allowText", action.choices().isEmpty());
  }

  private static ObjectNode reply(RunEvent.ActionResolved action) {
    JsonNode payload = action.payload();
    String content =
        payload == null
            ? action.decision().wire()
            : payload.isTextual() ? payload.textValue() : payload.toString();
    return type("session:reply").put("promptId", action.actionId()).put("content", content);
  }

  private ObjectNode ended(boolean success, StoredEvent stored) {
    long millis = Duration.between(begun().at(), stored.timestamp()).toMillis();
    return type("harness:complete").put("success", success).put("durationMs", Math.max(0, millis));
  }

  private static ObjectNode type(String type) {
    return JSON.objectNode().put("type", type);
  }
}
