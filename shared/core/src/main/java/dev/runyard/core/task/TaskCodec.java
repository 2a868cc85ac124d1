package dev.runyard.core.task;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.Requester;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.stream.StreamCodec;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/// The JSON form of a task's events.
public final class TaskCodec extends StreamCodec<StoredTaskEvent> {
  public static final TaskCodec TASKS = new TaskCodec(false);

  /// The form in which events are told: without requests, which may have secrets.
  public static final TaskCodec TOLD = new TaskCodec(true);

  private static final String QUEUED = "task.queued";
  private static final String STARTED = "task.started";
  private static final String WAITING = "task.waiting";
  private static final String RETRYING = "task.retrying";
  private static final String DELEGATED = "task.delegated";

  /// The types that say how a run is doing, in `status`.
  private static final Set<String> MOVES = Set.of(QUEUED, STARTED, WAITING, RETRYING);

  private static final Map<String, Class<? extends TaskEvent>> TYPES =
      Map.ofEntries(
          Map.entry("task.created", TaskEvent.Created.class),
          Map.entry("task.accepted", TaskEvent.Accepted.class),
          Map.entry("task.updated", TaskEvent.Updated.class),
          Map.entry("task.progress", TaskEvent.Progressed.class),
          Map.entry(DELEGATED, TaskEvent.Delegated.class),
          Map.entry("task.dependency.updated", TaskEvent.DependencyUpdated.class),
          Map.entry("task.blocked", TaskEvent.Blocked.class),
          Map.entry(RETRYING, TaskEvent.Retrying.class),
          Map.entry("task.paused", TaskEvent.Paused.class),
          Map.entry("task.resumed", TaskEvent.Resumed.class),
          Map.entry("task.attempt.started", TaskEvent.AttemptStarted.class),
          Map.entry("task.attempt.completed", TaskEvent.AttemptCompleted.class),
          Map.entry("task.attempt.failed", TaskEvent.AttemptFailed.class),
          Map.entry("task.cancel_requested", TaskEvent.CancelRequested.class),
          Map.entry("task.cancelled", TaskEvent.Cancelled.class),
          Map.entry("task.completed", TaskEvent.Completed.class),
          Map.entry("task.failed", TaskEvent.Failed.class),
          Map.entry("task.timed_out", TaskEvent.TimedOut.class),
          Map.entry("task.lost", TaskEvent.Lost.class),
          Map.entry("task.archived", TaskEvent.Archived.class));

  private final boolean told;

  private TaskCodec(boolean told) {
    this.told = told;
  }

  /// The types of a task's events, in order.
  public static List<String> types() {
    return Stream.concat(TYPES.keySet().stream(), MOVES.stream()).distinct().sorted().toList();
  }

  static String nameOf(TaskEvent event) {
    if (event instanceof TaskEvent.Other other) {
      return other.type();
    }
    if (event instanceof TaskEvent.JobAdded) {
      return DELEGATED;
    }
    return event instanceof TaskEvent.Moved moved
        ? nameOf(moved.status())
        : TYPES.entrySet().stream()
            .filter(entry -> entry.getValue() == event.getClass())
            .map(Map.Entry::getKey)
            .findFirst()
            .orElseThrow();
  }

  private static String nameOf(TaskStatus status) {
    return switch (status) {
      case QUEUED, PREPARING -> QUEUED;
      case RUNNING -> STARTED;
      case RETRYING -> RETRYING;
      case DRAFT,
          ACCEPTED,
          WAITING_INPUT,
          WAITING_PERMISSION,
          WAITING_RESOURCE,
          BLOCKED,
          PAUSED,
          CANCELLING,
          CANCELLED,
          TIMED_OUT,
          FAILED,
          LOST,
          COMPLETED,
          ARCHIVED,
          STALE,
          UNKNOWN ->
          WAITING;
    };
  }

  @Override
  protected void identify(StoredTaskEvent stored, JsonGenerator json) throws IOException {
    identifyStream(stored, json);
    if (stored.event() instanceof TaskEvent.OfRun of) {
      json.writeStringField("runId", of.runId());
    }
    if (stored.event() instanceof TaskEvent.JobAdded(String job)) {
      json.writeStringField("jobId", job);
    }
    if (stored.event() instanceof TaskEvent.AttemptEnded ended && ended.attemptId() != null) {
      json.writeStringField("attemptId", ended.attemptId());
    }
    Requester.write(stored.by(), json);
  }

  @Override
  protected void identifyStream(StoredTaskEvent member, JsonGenerator json) throws IOException {
    json.writeStringField("sessionId", member.sessionId());
    json.writeStringField("taskId", member.key().taskId());
  }

  @Override
  protected Object payload(StoredTaskEvent stored) {
    TaskEvent event = told ? told(stored.event()) : stored.event();
    return event instanceof TaskEvent.Other other ? other.payload() : event;
  }

  private static TaskEvent told(TaskEvent event) {
    return switch (event) {
      case TaskEvent.Created created -> new TaskEvent.Created(created.terms(), null);
      case TaskEvent.Updated updated -> new TaskEvent.Updated(updated.terms(), null);
      case TaskEvent.Blocked blocked -> new TaskEvent.Blocked(blocked.by(), null, blocked.reason());
      case TaskEvent.AttemptStarted started ->
          new TaskEvent.AttemptStarted(started.attempt(), started.runId(), started.reason(), null);
      case TaskEvent other -> other;
    };
  }

  @Override
  protected StoredTaskEvent read(StreamKey key, JsonNode envelope) throws IOException {
    return new StoredTaskEvent(
        key instanceof TaskKey task ? task : TaskKey.ofPartition(key.partition()),
        envelope.required("sessionId").textValue(),
        envelope.required("sequence").longValue(),
        JsonFormat.time(envelope.required("timestamp").textValue()),
        event(envelope.required("type").textValue(), envelope.path("payload")),
        Requester.read(envelope));
  }

  private static TaskEvent event(String type, JsonNode payload) throws IOException {
    Class<? extends TaskEvent> known =
        MOVES.contains(type) && payload.has("status")
            ? TaskEvent.Moved.class
            : type.equals(DELEGATED) && payload.has("job")
                ? TaskEvent.JobAdded.class
                : TYPES.get(type);
    return known == null
        ? new TaskEvent.Other(type, payload)
        : JsonFormat.JSON.treeToValue(payload, known);
  }
}
