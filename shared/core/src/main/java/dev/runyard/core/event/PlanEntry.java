package dev.runyard.core.event;

import com.fasterxml.jackson.annotation.JsonProperty;

/// One step of an agent's plan, in the agent's words.
public record PlanEntry(String text, Status status) {

  /// How far the step is.
  public enum Status {
    @JsonProperty("pending")
    PENDING,
    @JsonProperty("in_progress")
    IN_PROGRESS,
    @JsonProperty("completed")
    COMPLETED
  }
}
