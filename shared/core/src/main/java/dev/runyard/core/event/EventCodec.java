package dev.runyard.core.event;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.SerializedString;
import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.ids.ItemIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.ids.TaskIds;
import dev.runyard.core.ids.TraceParent;
import dev.runyard.core.ids.TurnIds;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.stream.StreamCodec;
import java.io.IOException;
import java.io.StringWriter;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The JSON form of a run's events. A reader ignores members it does not know and keeps events of
/// types it does not know.
public final class EventCodec extends StreamCodec<StoredEvent> {
  /// The codec of the streams of runs.
  public static final EventCodec RUNS = new EventCodec();

  private static final String JOB = "jobId";
  private static final String ITEM = "jobItemId";
  private static final String PARENT = "parentTaskId";
  private static final String ROOT = "rootTaskId";

  /// Events of an attempt are written together, so the last identities are remembered.
  private volatile Identities identities = Identities.NONE;

  private EventCodec() {}

  @Override
  protected void identify(StoredEvent stored, JsonGenerator json) throws IOException {
    Identities last = identities;
    if (!last.areOf(stored)) {
      last = Identities.of(stored.run().runId(), stored.turn(), stored.attemptId());
      identities = last;
    }
    json.writeRaw(last.members);
    optional(json, "spanId", last.spanOf(stored.event()));
    Requester.write(stored.by(), json);
    about(stored.event(), json);
  }

  @Override
  protected void identifyStream(StoredEvent member, JsonGenerator json) throws IOException {
    json.writeRaw(Identities.of(member.run().runId(), member.turn(), null).members);
  }

  /// The members of the envelope that all events of an attempt have in common.
  private record Identities(
      String runId,
      TurnIds turn,
      @Nullable String attemptId,
      @Nullable String spanId,
      SerializableString members) {
    static final Identities NONE =
        new Identities("", new TurnIds("", "", ""), null, null, new SerializedString(""));

    boolean areOf(StoredEvent stored) {
      return runId.equals(stored.run().runId())
          && turn.equals(stored.turn())
          && Objects.equals(attemptId, stored.attemptId());
    }

    /// The span of the trace in which the event happened, if it is part of one that a caller began:
    /// that of its tool call, or else of its attempt.
    @Nullable String spanOf(RunEvent event) {
      return spanId != null
              && attemptId != null
              && event instanceof InEnvelope.ToolCallId of
              && of.toolCallId() != null
          ? TraceParent.spanOf(attemptId, of.toolCallId())
          : spanId;
    }

    static Identities of(String runId, TurnIds turn, @Nullable String attemptId)
        throws IOException {
      String traceId = turn.traceId();
      StringWriter members = new StringWriter();
      try (JsonGenerator json = JsonFormat.JSON.createGenerator(members)) {
        json.writeStartObject();
        json.writeStringField("sessionId", turn.sessionId());
        json.writeStringField("threadId", turn.threadId());
        json.writeStringField("turnId", turn.turnId());
        json.writeStringField("taskId", "task-" + runId);
        TaskIds above = turn.above();
        if (above != null) {
          json.writeStringField(PARENT, above.parent());
          json.writeStringField(ROOT, above.root());
        }
        json.writeStringField("runId", runId);
        json.writeStringField("traceId", Objects.requireNonNullElse(traceId, traceOf(runId)));
        optional(json, "attemptId", attemptId);
        ItemIds item = turn.item();
        if (item != null) {
          json.writeStringField(JOB, item.jobId());
          json.writeStringField(ITEM, String.valueOf(item.item()));
        }
        json.writeEndObject();
      }
      String object = members.toString();
      return new Identities(
          runId,
          turn,
          attemptId,
          traceId == null || attemptId == null ? null : TraceParent.spanOf(attemptId),
          new SerializedString("," + object.substring(1, object.length() - 1)));
    }
  }

  /// The trace of a run whose request named none.
  private static String traceOf(String runId) {
    return runId.replace("-", "");
  }

  private static void about(RunEvent event, JsonGenerator json) throws IOException {
    if (event instanceof InEnvelope.ToolCallId of && of.toolCallId() != null) {
      json.writeStringField("toolCallId", of.toolCallId());
      json.writeStringField("stepId", "step-" + of.toolCallId());
    }
    if (event instanceof InEnvelope.ActionId of) {
      optional(json, "actionId", of.actionId());
    }
    if (event instanceof InEnvelope.ProcessId of) {
      optional(json, "processId", of.processId());
    }
    if (event instanceof InEnvelope.OutputRef of) {
      optional(json, "outputRef", of.outputRef());
    }
    if (event instanceof InEnvelope.SubagentId of) {
      optional(json, "subagentId", of.subagentId());
    }
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
    RunKey run = RunKey.of(key);
    TurnIds plain = TurnIds.of(run, node.required("sessionId").textValue());
    return new StoredEvent(
        run,
        new TurnIds(
            plain.sessionId(),
            node.path("threadId").asText(plain.threadId()),
            node.path("turnId").asText(plain.turnId()),
            named(node.path("traceId").textValue(), traceOf(run.runId())),
            node.has(JOB) ? new ItemIds(node.path(JOB).textValue(), node.path(ITEM).asInt()) : null,
            node.has(ROOT)
                ? new TaskIds(node.path(PARENT).textValue(), node.path(ROOT).textValue())
                : null),
        node.path("attemptId").textValue(),
        node.required("sequence").longValue(),
        JsonFormat.time(node.required("timestamp").textValue()),
        event,
        Requester.read(node));
  }

  private static @Nullable String named(@Nullable String text, String plain) {
    return plain.equals(text) ? null : text;
  }

  private static void optional(JsonGenerator json, String name, @Nullable String value)
      throws IOException {
    if (value != null) {
      json.writeStringField(name, value);
    }
  }
}
