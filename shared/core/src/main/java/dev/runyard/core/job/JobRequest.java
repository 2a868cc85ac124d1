package dev.runyard.core.job;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.request.RunRequest;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// What somebody wants a job to be, already validated.
///
/// @param jobId the id the caller chose, if they chose one
/// @param terms without a session if the caller named none
/// @param common what all items have in common
/// @param items the requests of the first items
public record JobRequest(
    Optional<String> jobId, JobTerms terms, ObjectNode common, List<RunRequest> items) {
  public JobRequest {
    Objects.requireNonNull(terms);
    items = List.copyOf(items);
  }
}
