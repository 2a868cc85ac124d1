package dev.runyard.core.artifact;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Where the files of a session are stored.
///
/// @param runId of the run whose agent left them; empty if none has left any
/// @param nativeSession the agent's own id of the session
/// @param archive key of the archive; null if it could not be stored
/// @param before the state the run began with, for a retry of the run and for who goes back to it
/// @param open the run that has begun since and has left nothing yet, a dot, and its attempt; older
///   objects have only the run
public record SavedState(
    @JsonProperty("run_id") String runId,
    @JsonProperty("native_session") String nativeSession,
    @JsonProperty("archive") @Nullable String archive,
    @JsonProperty("before") @Nullable SavedState before,
    @JsonProperty("open") @Nullable String open) {
  static final SavedState NONE = new SavedState("", "", null, null, null);

  @JsonIgnore
  boolean none() {
    return runId.isEmpty();
  }

  /// The same as what a run begins with: with those before it, as many as are kept.
  SavedState asBefore() {
    return cut(SessionSnapshots.EARLIER_MAX);
  }

  private SavedState cut(int states) {
    SavedState earlier = states <= 1 || before == null ? null : before.cut(states - 1);
    return new SavedState(runId, nativeSession, archive, earlier, null);
  }

  /// This state and those before it that somebody has left, the newest first.
  @JsonIgnore
  public List<SavedState> line() {
    List<SavedState> line = new ArrayList<>();
    for (SavedState state = this; state != null && !state.none(); state = state.before()) {
      line.add(state);
    }
    return List.copyOf(line);
  }

  SavedState opened(@Nullable String mark) {
    return new SavedState(runId, nativeSession, archive, before, mark);
  }

  /// The mark of an attempt that begins in a session.
  static String mark(String run, String attemptId) {
    return run + "." + attemptId;
  }

  /// True when another run began and was lost with its conversation.
  boolean lostRunBefore(String run) {
    return open != null && !open.equals(run) && !open.startsWith(run + ".");
  }
}
