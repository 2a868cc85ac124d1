package dev.runyard.core.task;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What a task has to do with another thing.
///
/// @param to id of the task, or of what else it is
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TaskEdge(
    EdgeKind kind,
    String to,
    Status status,
    @Nullable String reason,
    Instant createdAt,
    Instant updatedAt) {
  public TaskEdge {
    Objects.requireNonNull(kind);
    Objects.requireNonNull(to);
    Objects.requireNonNull(status);
  }

  /// How far an edge is.
  public enum Status {
    /// It is looked whether it closes a circle.
    PENDING,
    ACTIVE,
    /// What it waited for has come.
    SATISFIED;

    public String wire() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  boolean is(EdgeKind other, String otherTo) {
    return kind == other && to.equals(otherTo);
  }

  TaskEdge now(Status next, @Nullable String why, Instant at) {
    return new TaskEdge(kind, to, next, why == null ? reason : why, createdAt, at);
  }
}
