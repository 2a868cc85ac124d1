package dev.runyard.runner.session;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/// Where the state of a session is.
///
/// @param runId of the run whose agent left it
/// @param nativeSession the agent's own id of the session
/// @param archive key of the archive; null where it could not be kept
/// @param before the state the run began with, for the run's next attempt
public record SavedState(
    @JsonProperty("run_id") String runId,
    @JsonProperty("native_session") String nativeSession,
    @JsonProperty("archive") @Nullable String archive,
    @JsonProperty("before") @Nullable SavedState before) {

  SavedState withoutBefore() {
    return new SavedState(runId, nativeSession, archive, null);
  }
}
