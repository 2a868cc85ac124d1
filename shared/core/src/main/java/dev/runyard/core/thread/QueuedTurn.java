package dev.runyard.core.thread;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A turn that has not ended: its name in its thread, and the run that it is.
///
/// @param takenAt when its place was taken for a run that was not there yet; null if the run was
///   there before its place
@JsonInclude(JsonInclude.Include.NON_NULL)
public record QueuedTurn(String turnId, String runId, @Nullable Instant takenAt) {
  public QueuedTurn {
    Objects.requireNonNull(turnId);
    Objects.requireNonNull(runId);
  }

  /// The turn of a run that is there.
  public QueuedTurn(String turnId, String runId) {
    this(turnId, runId, null);
  }

  /// The turn with a place that is taken now, for a run that is not there yet.
  public QueuedTurn taken(Instant now) {
    return new QueuedTurn(turnId, runId, now.truncatedTo(ChronoUnit.MILLIS));
  }
}
