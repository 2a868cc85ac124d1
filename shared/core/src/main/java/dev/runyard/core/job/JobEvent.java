package dev.runyard.core.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.problem.Failure;
import org.jspecify.annotations.Nullable;

/// An event of a job. `job.progress` says of several things that they happened: which, its payload
/// says in `change`.
public sealed interface JobEvent {
  /// An event about one item.
  sealed interface OfItem extends JobEvent {
    int item();
  }

  /// The end of an item's run.
  sealed interface ItemEnded extends OfItem {
    int attempt();

    String runId();

    /// The thread of the run; null in events from before it was told.
    @Nullable String threadId();

    JobUsage usage();
  }

  /// The last event.
  sealed interface Ended extends JobEvent {}

  record Created(JobTerms terms) implements JobEvent {}

  record ItemsAdded(ItemBatch batch) implements JobEvent {}

  record Started() implements JobEvent {}

  /// An item was started as this run.
  ///
  /// @param threadId the thread of the run; null in events from before it was told
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record ItemStarted(int item, int attempt, String runId, @Nullable String threadId)
      implements OfItem {}

  /// An item's run was completed.
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record ItemCompleted(
      int item, int attempt, String runId, @Nullable String threadId, JobUsage usage)
      implements ItemEnded {}

  /// An item's run failed.
  ///
  /// @param retryable whether the same request may succeed in another run
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record ItemFailed(
      int item,
      int attempt,
      String runId,
      @Nullable String threadId,
      JobUsage usage,
      Failure error,
      boolean retryable)
      implements ItemEnded {}

  /// Somebody wants a failed item to be run again.
  record ItemRetried(int item) implements OfItem {}

  /// Somebody says what is to be thought of a failed item.
  record ItemReported(int item, String note) implements OfItem {}

  /// Every item was run, and some failed.
  record Blocked(int failed) implements JobEvent {}

  /// From here on nothing starts: somebody cancelled the job, or it used up what it may.
  record StopRequested(Failure why) implements JobEvent {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Completed(int completed, int reported) implements Ended {}

  record Failed(Failure error, int completed, int failed, int reported) implements Ended {}

  record Cancelled(@Nullable String reason, int completed, int failed) implements Ended {}

  /// An event of a type that this version does not know.
  record Other(String type, JsonNode payload) implements JobEvent {}
}
