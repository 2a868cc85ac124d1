package dev.runyard.core.thread;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;
import java.util.Optional;

/// Where a thread goes on from after somebody has said so: from what one of its turns left, as if
/// the turns that are undone had not been.
///
/// @param turnId the turn
/// @param runId its run; empty where nobody has said anything
/// @param undone the runs of the turns that are undone, the newest first
public record ThreadOrigin(String turnId, String runId, List<String> undone) {
  /// Most turns that are undone.
  public static final int UNDONE_MAX = 100;

  public static final ThreadOrigin NONE = new ThreadOrigin("", "", List.of());

  public ThreadOrigin {
    undone = undone == null ? List.of() : List.copyOf(undone);
  }

  /// True for the run of a turn that is undone.
  public boolean isUndone(String run) {
    return undone.contains(run);
  }

  /// The run of the turn it goes on from.
  @JsonIgnore
  public Optional<String> run() {
    return runId.isEmpty() ? Optional.empty() : Optional.of(runId);
  }
}
