package dev.runyard.core.task;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.json.FailureJson;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.request.TaskRun;
import dev.runyard.core.run.RunFacts;
import dev.runyard.core.run.RunState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Tasks as clients of the native API see them. Every member is always present; an unknown value is
/// null.
public final class TaskJson {
  private TaskJson() {}

  public static ObjectNode of(TaskState.Existing task) {
    TaskFacts facts = task.facts();
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("task_id", facts.task().taskId());
    json.put("parent_task_id", facts.parent().orElse(null));
    json.put("status", task.status().wire());
    json.put("status_reason", reason(facts));
    json.setAll(TaskTermsJson.of(facts.terms()));
    json.put("requested_by", facts.actor());
    json.put("agent", facts.agent());
    progress(json, facts.progress());
    json.put("current_run_id", facts.current().map(TaskAttempt::runId).orElse(null));
    attempts(json.putArray("attempts"), facts);
    edges(json.putArray("relationships"), facts);
    facts.jobs().forEach(json.putArray("jobs")::add);
    json.put("summary", facts.summary());
    FailureJson.put(json, "last_error", facts.lastError());
    json.put("created_at", JsonFormat.time(facts.createdAt()));
    json.put("updated_at", JsonFormat.time(facts.at()));
    json.put("ended_at", JsonFormat.timeOrNull(facts.endedAt()));
    json.put("last_sequence", facts.sequence());
    json.put("closed", task.closed());
    return json;
  }

  /// The task that a run is which is of no other.
  public static ObjectNode of(RunState.Existing run) {
    RunFacts facts = run.facts();
    TaskCommand.Seen seen = TaskRuns.seen(run);
    boolean ended = run.closed();
    TaskAttempt attempt =
        new TaskAttempt(
            1,
            seen.runId(),
            seen.attemptId(),
            seen.sequence(),
            seen.status(),
            0,
            null,
            facts.createdAt(),
            run instanceof RunState.Closed closed ? closed.finishedAt() : null,
            seen.error());
    TaskTerms terms =
        new TaskTerms(
            "run of " + facts.request().agent(),
            null,
            null,
            null,
            Visibility.FOREGROUND,
            0,
            null,
            null,
            null,
            List.of(),
            Acceptance.RUN,
            facts.request().sessionId(),
            facts.request().threadId(),
            null,
            true,
            "");
    TaskFacts task =
        new TaskFacts(
            new TaskKey(facts.run().tenant(), facts.run().runId()),
            null,
            terms,
            facts.request().agent(),
            0,
            facts.createdAt(),
            run.sequence(),
            facts.createdAt(),
            false,
            List.of(attempt),
            List.of(),
            List.of(),
            null,
            0,
            null,
            null,
            null,
            ended ? seen.status() : null,
            attempt.endedAt(),
            null,
            seen.error(),
            false,
            null);
    TaskRun of = facts.request().task();
    ObjectNode json = of(TaskState.of(task));
    json.put("task_id", TaskKey.ofRun(facts.run()));
    json.put("parent_task_id", of == null ? null : of.taskId());
    return json.put("closed", ended);
  }

  /// Why it has its status, where that does not follow from its runs.
  private static @Nullable String reason(TaskFacts task) {
    return switch (task.status()) {
      case PAUSED -> task.paused();
      case CANCELLING, CANCELLED -> task.cancel();
      case BLOCKED -> "blocked_by " + String.join(", ", task.blockers());
      case WAITING_INPUT -> task.active().findAny().isEmpty() ? TaskEvent.Moved.ACCEPTANCE : null;
      case ARCHIVED -> task.ended() == null ? null : task.ended().wire();
      case DRAFT,
          ACCEPTED,
          QUEUED,
          PREPARING,
          RUNNING,
          WAITING_PERMISSION,
          WAITING_RESOURCE,
          RETRYING,
          TIMED_OUT,
          FAILED,
          LOST,
          COMPLETED,
          STALE,
          UNKNOWN ->
          null;
    };
  }

  private static void progress(ObjectNode json, @Nullable TaskProgress progress) {
    if (progress == null) {
      json.putNull("progress");
      return;
    }
    json.putObject("progress")
        .put("message", progress.message())
        .put("percent", progress.percent());
  }

  private static void attempts(ArrayNode list, TaskFacts task) {
    for (TaskAttempt attempt : task.attempts()) {
      ObjectNode json = list.addObject();
      json.put("attempt", attempt.number());
      json.put("run_id", attempt.runId());
      json.put("attempt_id", attempt.attemptId());
      json.put("status", attempt.status().wire());
      json.put("reason", attempt.reason());
      json.put("started_at", JsonFormat.time(attempt.startedAt()));
      json.put("ended_at", JsonFormat.timeOrNull(attempt.endedAt()));
      FailureJson.put(json, "last_error", attempt.error());
    }
  }

  private static void edges(ArrayNode list, TaskFacts task) {
    for (TaskEdge edge : task.edges()) {
      list.addObject()
          .put("kind", edge.kind().wire())
          .put("to", edge.to())
          .put("status", edge.status().wire())
          .put("reason", edge.reason())
          .put("created_at", JsonFormat.time(edge.createdAt()))
          .put("updated_at", JsonFormat.time(edge.updatedAt()));
    }
  }
}
