package dev.runyard.core.runtime;

import com.fasterxml.jackson.databind.node.ObjectNode;

/// A command about jobs. What items ask for is read by whoever executes it, as where a job is
/// created by its resource.
public sealed interface RuntimeJobCommand {
  /// A new job.
  ///
  /// @param body what the resource takes
  record CreateJob(ObjectNode body) implements RuntimeJobCommand {}

  /// More items for a job.
  ///
  /// @param body what the resource takes
  record AddJobItems(String jobId, ObjectNode body) implements RuntimeJobCommand {}

  record StartJob(String jobId) implements RuntimeJobCommand {}

  record CancelJob(String jobId, String reason) implements RuntimeJobCommand {}

  /// Runs a failed item again.
  record RetryJobItem(String jobId, int item) implements RuntimeJobCommand {}

  /// Says what is to be thought of a failed item.
  record ReportJobItem(String jobId, int item, String note) implements RuntimeJobCommand {}

  /// Jobs, newest first.
  record ListJobs(RuntimeCommand.Window window) implements RuntimeJobCommand {}

  record GetJob(String jobId) implements RuntimeJobCommand {}

  /// True for one that changes nothing.
  default boolean reads() {
    return switch (this) {
      case ListJobs _, GetJob _ -> true;
      case CreateJob _, AddJobItems _, StartJob _, CancelJob _, RetryJobItem _, ReportJobItem _ ->
          false;
    };
  }
}
