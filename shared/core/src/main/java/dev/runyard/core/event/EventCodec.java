package dev.runyard.core.event;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.stream.StreamCodec;
import java.io.IOException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The JSON form of a run's events. A reader ignores members it does not know and keeps events of
/// types it does not know.
public final class EventCodec extends StreamCodec<StoredEvent> {
  /// The codec of the streams of runs.
  public static final EventCodec RUNS = new EventCodec();

  private EventCodec() {}

  @Override
  protected void identify(StoredEvent stored, JsonGenerator json) throws IOException {
    String runId = stored.run().runId();
    json.writeStringField("sessionId", stored.sessionId());
    json.writeStringField("threadId", "thread-" + stored.sessionId());
    json.writeStringField("turnId", "turn-" + runId);
    json.writeStringField("taskId", "task-" + runId);
    json.writeStringField("runId", runId);
    json.writeStringField("traceId", runId.replace("-", ""));
    optional(json, "attemptId", stored.attemptId());
    String tool = toolCallId(stored.event());
    optional(json, "toolCallId", tool);
    optional(json, "stepId", tool == null ? null : "step-" + tool);
    optional(json, "actionId", actionId(stored.event()));
    optional(json, "processId", processId(stored.event()));
    optional(json, "outputRef", outputRef(stored.event()));
  }

  @Override
  protected Object payload(StoredEvent stored) {
    return stored.event() instanceof RunEvent.Other other ? other.payload() : stored.event();
  }

  @Override
  protected StoredEvent read(StreamKey key, JsonNode node) throws IOException {
    String type = node.required("type").textValue();
    JsonNode payload = node.path("payload");
    Class<? extends RunEvent> known = EventTypes.typeOf(type);
    RunEvent event =
        known == null
            ? new RunEvent.Other(type, payload)
            : JsonFormat.JSON.treeToValue(payload, known);
    return new StoredEvent(
        RunKey.of(key),
        node.required("sessionId").textValue(),
        node.path("attemptId").textValue(),
        node.required("sequence").longValue(),
        Instant.parse(node.required("timestamp").textValue()),
        event);
  }

  private static @Nullable String toolCallId(RunEvent event) {
    return switch (event) {
      case RunEvent.ToolStarted tool -> tool.toolCallId();
      case RunEvent.ToolProgress tool -> tool.toolCallId();
      case RunEvent.ToolResult tool -> tool.toolCallId();
      case RunEvent.ToolFailed tool -> tool.toolCallId();
      case RunEvent.OutputSpilled output -> output.toolCallId();
      case RunEvent.ArtifactChanged file -> file.toolCallId();
      case RunEvent _ -> null;
    };
  }

  private static @Nullable String outputRef(RunEvent event) {
    return switch (event) {
      case RunEvent.ToolResult tool -> tool.outputRef();
      case RunEvent.ToolFailed tool -> tool.outputRef();
      case RunEvent.OutputSpilled output -> output.outputRef();
      case RunEvent _ -> null;
    };
  }

  private static @Nullable String processId(RunEvent event) {
    if (event instanceof RunEvent.ProcessStarted process) {
      return process.processId();
    } else if (event instanceof RunEvent.ProcessCompleted process) {
      return process.processId();
    } else if (event instanceof RunEvent.ProcessFailed process) {
      return process.processId();
    } else if (event instanceof RunEvent.ProcessTerminated process) {
      return process.processId();
    } else if (event instanceof RunEvent.ProcessInput process) {
      return process.processId();
    }
    return null;
  }

  private static @Nullable String actionId(RunEvent event) {
    return switch (event) {
      case RunEvent.ActionRequired action -> action.actionId();
      case RunEvent.ActionResolved action -> action.actionId();
      case RunEvent.PermissionRequested permission -> permission.actionId();
      case RunEvent.PermissionResolved permission -> permission.actionId();
      case RunEvent.TaskWaiting waiting -> waiting.actionId();
      case RunEvent.ProcessInput input -> input.actionId();
      case RunEvent _ -> null;
    };
  }

  private static void optional(JsonGenerator json, String name, @Nullable String value)
      throws IOException {
    if (value != null) {
      json.writeStringField(name, value);
    }
  }
}
