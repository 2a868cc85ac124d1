package dev.runyard.core.job;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.json.FailureJson;
import dev.runyard.core.json.JsonFormat;
import java.util.Optional;

/// Jobs and their items as clients of the native API see them. Every member is always present; an
/// unknown value is null.
public final class JobJson {
  private JobJson() {}

  public static ObjectNode of(JobState.Existing job) {
    JobFacts facts = job.facts();
    JobTerms terms = facts.terms();
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("job_id", facts.job().jobId());
    json.put("session_id", terms.sessionId());
    json.put("task_id", terms.taskId());
    json.put("status", job.status().wire());
    ObjectNode counts = json.putObject("counts");
    counts.put("total", facts.items().total());
    for (ItemStatus status : ItemStatus.values()) {
      counts.put(status.wire(), facts.items().counts().get(status));
    }
    json.put("concurrency", terms.concurrency());
    json.put("on_failed", terms.onFailed().wire());
    json.put("max_runtime_seconds", terms.maxRuntimeSeconds());
    json.put("max_tokens", terms.maxTokens());
    json.put("max_cost_usd", terms.maxCostUsd());
    usage(json, facts.usage());
    FailureJson.put(
        json, "error", job instanceof JobState.Closed closed ? closed.error() : facts.stop());
    json.put("created_at", JsonFormat.time(facts.createdAt()));
    json.put("started_at", JsonFormat.timeOrNull(facts.startedAt()));
    json.put(
        "finished_at",
        job instanceof JobState.Closed closed ? JsonFormat.time(closed.finishedAt()) : null);
    json.put("last_sequence", facts.sequence());
    json.put("closed", job.closed());
    return json;
  }

  /// An item, with the row of its newest run that ended, if there is one.
  public static ObjectNode item(JobState.Existing job, int item, Optional<ItemRow> row) {
    JobProgress items = job.facts().items();
    JobProgress.Active active = items.active().get(item);
    int attempts = items.attempts(item);
    Optional<ItemRow> newest = row.filter(there -> active == null && there.attempt() == attempts);
    String runId = active == null ? newest.map(ItemRow::runId).orElse(null) : active.runId();
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("item", item);
    json.put("status", items.status(item).wire());
    json.put("attempts", attempts);
    json.put("run_id", runId);
    json.put(
        "thread_id",
        active == null ? newest.map(ItemRow::threadId).orElse(null) : active.threadId());
    FailureJson.put(json, "last_error", row.map(ItemRow::error).orElse(null));
    if (row.map(ItemRow::error).isPresent()) {
      ((ObjectNode) json.get("last_error")).put("retryable", row.get().retryable());
    }
    usage(json, newest.map(ItemRow::usage).orElse(JobUsage.NONE));
    json.put("note", newest.map(ItemRow::note).orElse(null));
    json.put("finished_at", JsonFormat.timeOrNull(newest.map(ItemRow::at).orElse(null)));
    return json;
  }

  private static void usage(ObjectNode json, JobUsage usage) {
    json.putObject("usage").put("tokens", usage.tokens()).put("cost_usd", usage.costUsd());
  }
}
