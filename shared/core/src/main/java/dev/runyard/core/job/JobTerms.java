package dev.runyard.core.job;

import com.fasterxml.jackson.annotation.JsonInclude;
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
@JsonInclude(JsonInclude.Include.NON_NULL)
public record JobTerms(
    String sessionId,
    int concurrency,
    OnFailed onFailed,
    @Nullable Integer maxRuntimeSeconds,
    @Nullable Long maxTokens,
    @Nullable Double maxCostUsd,
    String fingerprint,
    @Nullable String taskId) {
  static final double MICRODOLLARS = 1_000_000;

  public JobTerms {
    Objects.requireNonNull(sessionId);
    Objects.requireNonNull(onFailed);
    Objects.requireNonNull(fingerprint);
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
