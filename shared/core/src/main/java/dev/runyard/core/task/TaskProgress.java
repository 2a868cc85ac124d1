package dev.runyard.core.task;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// How far somebody says that a task is.
///
/// @param percent null if nobody knows
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TaskProgress(String message, @Nullable Integer percent) {
  public TaskProgress {
    Objects.requireNonNull(message);
  }
}
