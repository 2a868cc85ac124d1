package dev.runyard.core.view;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.ids.TurnIds;
import dev.runyard.core.interaction.Action;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.run.RunFacts;
import dev.runyard.core.run.RunState;
import dev.runyard.core.session.ReadThread;
import dev.runyard.core.stream.StreamCodec;
import dev.runyard.core.thread.QueuedTurn;
import dev.runyard.core.usage.Usage;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A session as the strict profile of the Agent Runtime standard has it: the same threads and turns
/// as [ThreadJson] shows, with each run as the task that it is. What Runyard does not know is said
/// to be unavailable.
public final class LimeJson {
  private static final String STATUS = "status";
  private static final String UNAVAILABLE = "unavailable";

  private LimeJson() {}

  /// The session.
  ///
  /// @param runs the turns of this page, the newest first
  /// @param next cursor of the next page
  /// @param now for a session of which no turn says when it changed
  public static ObjectNode session(
      String sessionId,
      List<ReadThread.Now> threads,
      List<RunState.Existing> runs,
      @Nullable String next,
      Instant now) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("schemaVersion", StreamCodec.STRICT_SCHEMA_VERSION);
    json.put("runtimeId", StreamCodec.RUNTIME_ID);
    json.put("sessionId", sessionId);
    json.put(
        "updatedAt",
        JsonFormat.time(runs.stream().map(LimeJson::changed).max(Instant::compareTo).orElse(now)));
    ArrayNode shown = json.putArray("threads");
    for (ReadThread.Now thread : threads) {
      shown.add(
          thread(
              thread,
              runs.stream()
                  .filter(run -> run.facts().request().threadId().equals(thread.in().thread().id()))
                  .toList()));
    }
    ArrayNode tasks = json.putArray("tasks");
    runs.stream().map(LimeJson::task).forEach(tasks::add);
    Map<String, Long> counts =
        runs.stream()
            .collect(
                Collectors.groupingBy(LimeJson::taskStatus, TreeMap::new, Collectors.counting()));
    ObjectNode summary = json.putObject("taskSummary").put("total", runs.size());
    counts.forEach(summary.putObject("byStatus")::put);
    json.putObject("routingLimitSummary").put(STATUS, UNAVAILABLE);
    telemetry(json.putObject("telemetrySummary"), runs);
    json.putArray("evidenceRefs");
    ObjectNode history = json.putObject("historySummary").put("turns", runs.size());
    if (next != null) {
      history.put("nextCursor", next);
    }
    return json;
  }

  private static void telemetry(ObjectNode json, List<RunState.Existing> runs) {
    Usage used = runs.stream().map(run -> run.facts().usage()).reduce(Usage.NONE, Usage::plus);
    json.put("inputTokens", used.inputTokens());
    json.put("outputTokens", used.outputTokens());
    if (used.costUsd() != null) {
      json.put("costUsd", used.costUsd());
    }
  }

  private static ObjectNode thread(ReadThread.Now thread, List<RunState.Existing> runs) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("threadId", thread.in().thread().id());
    json.put(STATUS, ThreadJson.status(thread));
    thread.current().ifPresent(run -> json.put("activeTurnId", ids(run).turnId()));
    ArrayNode turns = json.putArray("turns");
    runs.stream().map(LimeJson::turn).forEach(turns::add);
    ArrayNode requests = json.putArray("pendingRequests");
    thread
        .current()
        .map(run -> run.facts().interactions().pending())
        .orElse(List.of())
        .forEach(action -> requests.add(request(action)));
    ArrayNode queued = json.putArray("queuedTurns");
    for (QueuedTurn turn : thread.waiting()) {
      queued
          .addObject()
          .put("turnId", turn.turnId())
          .put("runId", turn.runId())
          .put("position", queued.size());
    }
    ArrayNode incidents = json.putArray("incidents");
    for (RunState.Existing run : runs) {
      if (run instanceof RunState.Failed failed) {
        incidents
            .addObject()
            .put("turnId", ids(run).turnId())
            .put("runId", run.facts().run().runId())
            .put("code", failed.error().code())
            .put("message", failed.error().message());
      }
    }
    json.putObject("evidenceSummary").put(STATUS, UNAVAILABLE);
    return json;
  }

  private static ObjectNode request(Action action) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("actionId", action.actionId());
    json.put("actionType", action.actionType().wire());
    json.put("prompt", action.prompt());
    json.put("expiresAt", JsonFormat.time(action.expiresAt()));
    if (action.toolCallId() != null) {
      json.put("toolCallId", action.toolCallId());
    }
    return json;
  }

  private static ObjectNode turn(RunState.Existing run) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("turnId", ids(run).turnId());
    json.put(STATUS, taskStatus(run));
    json.put("taskId", taskId(run));
    json.put("runId", run.facts().run().runId());
    times(json, run, "completedAt");
    return json;
  }

  private static ObjectNode task(RunState.Existing run) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("taskId", taskId(run));
    json.put("sessionId", ids(run).sessionId());
    json.put("threadId", ids(run).threadId());
    json.put("turnId", ids(run).turnId());
    json.put(STATUS, taskStatus(run));
    json.put("nativeStatus", run.phase());
    json.put("currentRunId", run.facts().run().runId());
    json.put("createdAt", JsonFormat.time(run.facts().createdAt()));
    times(json, run, "endedAt");
    ArrayNode attempts = json.putArray("attempts");
    RunJson.attempt(run)
        .ifPresent(
            attempt ->
                attempts
                    .addObject()
                    .put("runId", run.facts().run().runId())
                    .put("attemptId", attempt.id())
                    .put(STATUS, attemptStatus(run))
                    .put("attemptCount", attempt.number()));
    return json;
  }

  private static void times(ObjectNode json, RunState.Existing run, String end) {
    RunFacts facts = run.facts();
    if (facts.startedAt() != null) {
      json.put("startedAt", JsonFormat.time(facts.startedAt()));
    }
    if (run instanceof RunState.Closed closed) {
      json.put(end, JsonFormat.time(closed.finishedAt()));
    }
  }

  private static Instant changed(RunState.Existing run) {
    Instant started = run.facts().startedAt();
    return run instanceof RunState.Closed closed
        ? closed.finishedAt()
        : started == null ? run.facts().createdAt() : started;
  }

  /// The status of the task that a run is, in the standard's words.
  private static String taskStatus(RunState.Existing run) {
    return switch (run) {
      case RunState.Created _ -> "queued";
      case RunState.Retrying _ -> "retrying";
      case RunState.CancellingIdle _, RunState.Cancelling _ -> "cancelling";
      case RunState.Completed _ -> "completed";
      case RunState.Cancelled _ -> "cancelled";
      case RunState.Failed failed -> failed.phase();
      case RunState.Paused paused ->
          paused.facts().putAside() ? "paused" : waiting(run).orElse("paused");
      case RunState.InProgress _ -> waiting(run).orElse("running");
    };
  }

  private static Optional<String> waiting(RunState.Existing run) {
    return run.facts().interactions().pending().stream()
        .findFirst()
        .map(
            action ->
                action.actionType() == ActionType.PERMISSION
                    ? "waiting_permission"
                    : "waiting_input");
  }

  /// The standard has fewer words for attempts.
  private static String attemptStatus(RunState.Existing run) {
    return switch (run) {
      case RunState.Created _ -> "queued";
      case RunState.Retrying _ -> "retrying";
      case RunState.Completed _ -> "completed";
      case RunState.Cancelled _ -> "cancelled";
      case RunState.Failed _ -> "failed";
      case RunState.Paused _ -> "blocked";
      case RunState.CancellingIdle _, RunState.Cancelling _, RunState.InProgress _ -> "running";
    };
  }

  private static String taskId(RunState.Existing run) {
    return "task-" + run.facts().run().runId();
  }

  private static TurnIds ids(RunState.Existing run) {
    return run.facts().request().turnOf(run.facts().run());
  }
}
