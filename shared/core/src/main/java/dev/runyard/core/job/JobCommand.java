package dev.runyard.core.job;

import dev.runyard.core.event.Requester;
import dev.runyard.core.problem.Failure;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A command to a job. [JobRules] answers with events, or with the reason for refusing.
public sealed interface JobCommand {
  /// Somebody creates the job, with its first items if there are any.
  record Create(JobTerms terms, Optional<ItemBatch> items, Requester by) implements JobCommand {}

  /// Somebody adds items; the batch gets its place when it is appended.
  record Add(ItemBatch batch, Requester by) implements JobCommand {}

  record Start(Requester by) implements JobCommand {}

  record Cancel(String reason, Requester by) implements JobCommand {}

  /// Somebody runs a failed item again.
  ///
  /// @param attempt how often the item had run when this was asked for first, so that a repeat is
  ///   known; null if nobody said
  record Retry(int item, @Nullable Integer attempt, Requester by) implements JobCommand {}

  record Report(int item, String note, Requester by) implements JobCommand {}

  /// Runs of items have ended, and others may start.
  record Advance(List<End> ended, List<Begin> starting, Instant now) implements JobCommand {
    public Advance {
      ended = List.copyOf(ended);
      starting = List.copyOf(starting);
    }
  }

  /// The end of an item's run.
  ///
  /// @param error why it failed; null if it was completed
  record End(int item, String runId, @Nullable Failure error, JobUsage usage) {}

  /// An item that may start, as this run.
  ///
  /// @param threadId the thread of the run; null if it can never be one
  /// @param refused why it can never be a run; null if it can
  record Begin(
      int item, int attempt, String runId, @Nullable String threadId, @Nullable Failure refused) {}
}
