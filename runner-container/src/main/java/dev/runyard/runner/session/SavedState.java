package dev.runyard.runner.session;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/// Where the state of a session is.
///
/// @param runId of the run whose agent left it; empty where none has left any
/// @param nativeSession the agent's own id of the session
/// @param archive key of the archive; null where it could not be kept
/// @param before the state the run began with, for the run's next attempt
/// @param open the run that has begun since and has left nothing yet, a dot, and its attempt; older
///   objects have the run alone
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

  SavedState withoutBefore() {
    return new SavedState(runId, nativeSession, archive, null, null);
  }

  SavedState opened(@Nullable String mark) {
    return new SavedState(runId, nativeSession, archive, before, mark);
  }

  /// What an attempt marks a session with that it begins.
  static String mark(String run, String attemptId) {
    return run + "." + attemptId;
  }

  /// True when another run than this one began and was lost with what it said.
  boolean lostRunBefore(String run) {
    return open != null && !open.equals(run) && !open.startsWith(run + ".");
  }
}
