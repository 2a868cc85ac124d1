package dev.runyard.core.ids;

import java.util.Objects;

/// Which item of which job a run is of.
///
/// @param item its number, from 1 on
public record ItemIds(String jobId, int item) {
  public ItemIds {
    Objects.requireNonNull(jobId);
  }
}
