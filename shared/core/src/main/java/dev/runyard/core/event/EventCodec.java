package dev.runyard.core.event;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.json.JsonFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The JSON form of stored events: one envelope per line, camelCase as the Agent Runtime standard
/// has it. A reader ignores members it does not know and keeps events of types it does not know.
public final class EventCodec {
  public static final String SCHEMA_VERSION = "1";
  public static final String RUNTIME_ID = "runyard";

  private EventCodec() {}

  public static byte[] encode(List<StoredEvent> events) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(512 * events.size());
    try {
      for (StoredEvent event : events) {
        write(event, out);
        out.write('\n');
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  public static List<StoredEvent> decode(RunKey run, byte[] lines) {
    List<StoredEvent> events = new ArrayList<>();
    try (var values = JsonFormat.JSON.readerFor(JsonNode.class).<JsonNode>readValues(lines)) {
      while (values.hasNextValue()) {
        events.add(read(run, values.nextValue()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return List.copyOf(events);
  }

  /// One envelope without the line end.
  public static void write(StoredEvent stored, OutputStream out) throws IOException {
    try (JsonGenerator json = JsonFormat.JSON.createGenerator(out)) {
      json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
      json.writeStartObject();
      json.writeStringField("type", stored.type());
      json.writeStringField("eventId", id(stored));
      json.writeNumberField("sequence", stored.sequence());
      json.writeStringField("timestamp", JsonFormat.time(stored.timestamp()));
      json.writeStringField("schemaVersion", SCHEMA_VERSION);
      json.writeStringField("runtimeId", RUNTIME_ID);
      json.writeStringField("sessionId", stored.sessionId());
      json.writeStringField("threadId", "thread-" + stored.sessionId());
      json.writeStringField("turnId", "turn-" + stored.run().runId());
      json.writeStringField("taskId", "task-" + stored.run().runId());
      json.writeStringField("runId", stored.run().runId());
      json.writeStringField("traceId", stored.run().runId().replace("-", ""));
      optional(json, "attemptId", stored.attemptId());
      String tool = toolCallId(stored.event());
      optional(json, "toolCallId", tool);
      optional(json, "stepId", tool == null ? null : "step-" + tool);
      optional(json, "actionId", actionId(stored.event()));
      optional(json, "processId", processId(stored.event()));
      optional(json, "outputRef", outputRef(stored.event()));
      json.writeFieldName("payload");
      JsonFormat.JSON.writeValue(json, payload(stored.event()));
      json.writeEndObject();
    }
  }

  /// The event's own id: the run's and the sequence.
  public static String id(StoredEvent stored) {
    return stored.run().runId() + "." + stored.sequence();
  }

  private static Object payload(RunEvent event) {
    return event instanceof RunEvent.Other other ? other.payload() : event;
  }

  private static StoredEvent read(RunKey run, JsonNode node) throws IOException {
    String type = node.required("type").textValue();
    JsonNode payload = node.path("payload");
    Class<? extends RunEvent> known = EventTypes.typeOf(type);
    RunEvent event =
        known == null
            ? new RunEvent.Other(type, payload)
            : JsonFormat.JSON.treeToValue(payload, known);
    return new StoredEvent(
        run,
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
