package dev.runyard.core.request;

import java.util.Objects;

/// The item of a job that a run is of.
///
/// @param item its number, from 1 on
/// @param attempt which of the item's runs it is, from 1 on
public record JobItem(String jobId, int item, int attempt) {
  public JobItem {
    Objects.requireNonNull(jobId);
  }
}
