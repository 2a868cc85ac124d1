package dev.runyard.core.job;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.event.Requester;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.ids.TurnIds;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.stream.StreamCodec;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The JSON form of a job's events.
public final class JobCodec extends StreamCodec<StoredJobEvent> {
  public static final JobCodec JOBS = new JobCodec();
  static final String PROGRESS = "job.progress";
  private static final String CHANGE = "change";

  private static final Map<String, Class<? extends JobEvent>> TYPES =
      Map.of(
          "job.created", JobEvent.Created.class,
          "job.started", JobEvent.Started.class,
          "job.item.started", JobEvent.ItemStarted.class,
          "job.item.completed", JobEvent.ItemCompleted.class,
          "job.item.failed", JobEvent.ItemFailed.class,
          "job.completed", JobEvent.Completed.class,
          "job.failed", JobEvent.Failed.class,
          "job.cancelled", JobEvent.Cancelled.class);

  /// What `change` of [#PROGRESS] says.
  private static final Map<String, Class<? extends JobEvent>> CHANGES =
      Map.of(
          "items_added", JobEvent.ItemsAdded.class,
          "item_retried", JobEvent.ItemRetried.class,
          "item_reported", JobEvent.ItemReported.class,
          "blocked", JobEvent.Blocked.class,
          "stopping", JobEvent.StopRequested.class);

  private JobCodec() {}

  /// The types of a job's events, in order.
  public static List<String> types() {
    return Stream.concat(TYPES.keySet().stream(), Stream.of(PROGRESS)).sorted().toList();
  }

  static String nameOf(JobEvent event) {
    return event instanceof JobEvent.Other other
        ? other.type()
        : Objects.requireNonNullElse(name(TYPES, event.getClass()), PROGRESS);
  }

  private static @Nullable String name(
      Map<String, Class<? extends JobEvent>> names, Class<? extends JobEvent> type) {
    return names.entrySet().stream()
        .filter(entry -> entry.getValue() == type)
        .map(Entry::getKey)
        .findFirst()
        .orElse(null);
  }

  @Override
  protected void identify(StoredJobEvent stored, JsonGenerator json) throws IOException {
    identifyStream(stored, json);
    if (stored.event() instanceof JobEvent.OfItem of) {
      json.writeStringField("jobItemId", String.valueOf(of.item()));
    }
    switch (stored.event()) {
      case JobEvent.ItemStarted started -> turn(json, started.runId(), started.threadId());
      case JobEvent.ItemEnded ended -> turn(json, ended.runId(), ended.threadId());
      case JobEvent.Created _,
          JobEvent.ItemsAdded _,
          JobEvent.Started _,
          JobEvent.ItemRetried _,
          JobEvent.ItemReported _,
          JobEvent.Blocked _,
          JobEvent.StopRequested _,
          JobEvent.Ended _,
          JobEvent.Other _ -> {}
    }
    Requester.write(stored.by(), json);
  }

  @Override
  protected void identifyStream(StoredJobEvent member, JsonGenerator json) throws IOException {
    json.writeStringField("sessionId", member.sessionId());
    json.writeStringField("jobId", member.key().jobId());
  }

  private static void turn(JsonGenerator json, String runId, @Nullable String threadId)
      throws IOException {
    if (threadId != null) {
      json.writeStringField("threadId", threadId);
      json.writeStringField("turnId", TurnIds.turnOf(runId));
    }
    json.writeStringField("runId", runId);
  }

  @Override
  protected Object payload(StoredJobEvent stored) {
    if (stored.event() instanceof JobEvent.Other other) {
      return other.payload();
    }
    String change = name(CHANGES, stored.event().getClass());
    if (change == null) {
      return stored.event();
    }
    ObjectNode payload = JsonNodeFactory.instance.objectNode().put(CHANGE, change);
    payload.setAll((ObjectNode) JsonFormat.JSON.valueToTree(stored.event()));
    return payload;
  }

  @Override
  protected StoredJobEvent read(StreamKey key, JsonNode envelope) throws IOException {
    return new StoredJobEvent(
        key instanceof JobKey job ? job : JobKey.ofPartition(key.partition()),
        envelope.required("sessionId").textValue(),
        envelope.required("sequence").longValue(),
        JsonFormat.time(envelope.required("timestamp").textValue()),
        event(envelope.required("type").textValue(), envelope.path("payload")),
        Requester.read(envelope));
  }

  private static JobEvent event(String type, JsonNode payload) throws IOException {
    Class<? extends JobEvent> known =
        type.equals(PROGRESS) ? CHANGES.get(payload.path(CHANGE).asText()) : TYPES.get(type);
    return known == null
        ? new JobEvent.Other(type, payload)
        : JsonFormat.JSON.treeToValue(payload, known);
  }
}
