package dev.runyard.core.request;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The task that a run is of.
///
/// @param number which of the task's runs it has to be, from 1 on; null for one that may run beside
///   others
/// @param reason why the task is tried again; null for a first run
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TaskRun(String taskId, @Nullable Integer number, @Nullable String reason) {
  public TaskRun {
    Objects.requireNonNull(taskId);
  }
}
