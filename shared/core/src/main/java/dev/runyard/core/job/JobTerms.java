package dev.runyard.core.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.request.TaskRun;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What a job was created with, besides its items.
///
/// @param sessionId the session it belongs to; its own id if the caller named none
/// @param concurrency most items that run at once
/// @param maxRuntimeSeconds from its start to its end; null for [JobLimits#JOB_SECONDS_MAX]
/// @param maxTokens of the runs that ended, after which no further one starts; null for no limit
/// @param maxCostUsd likewise
/// @param fingerprint SHA-256 of what the caller sent, so that the same request is recognised
/// @param taskId the task that it is a part of; null for none
/// @param rootTaskId the task above all that are above it; null for none, and where an earlier
///   version created the job
@JsonInclude(JsonInclude.Include.NON_NULL)
public record JobTerms(
    String sessionId,
    int concurrency,
    OnFailed onFailed,
    @Nullable Integer maxRuntimeSeconds,
    @Nullable Long maxTokens,
    @Nullable Double maxCostUsd,
    String fingerprint,
    @Nullable String taskId,
    @Nullable String rootTaskId) {
  static final double MICRODOLLARS = 1_000_000;

  public JobTerms {
    Objects.requireNonNull(sessionId);
    Objects.requireNonNull(onFailed);
    Objects.requireNonNull(fingerprint);
  }

  /// The request as a run below the job's task.
  RunRequest ofTask(RunRequest request) {
    return taskId == null || rootTaskId == null
        ? request
        : request.of(new TaskRun(taskId, null, null, rootTaskId));
  }

  int runtimeSeconds() {
    return Objects.requireNonNullElse(maxRuntimeSeconds, JobLimits.JOB_SECONDS_MAX);
  }

  boolean overTokens(JobUsage usage) {
    return maxTokens != null && usage.tokens() >= maxTokens;
  }

  boolean overCost(JobUsage usage) {
    return maxCostUsd != null && usage.microdollars() >= Math.round(maxCostUsd * MICRODOLLARS);
  }
}
