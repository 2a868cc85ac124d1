package dev.runyard.runner.backend;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.problem.Failure;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What a run reports only once, however often its agent does: its session, and the error it ends
/// with. One thread at a time reports; any may ask for the session.
final class ToldOnce {
  private volatile @Nullable String session;
  private @Nullable String lastError;

  /// False for a session when one was reported before.
  boolean admits(RunEvent event) {
    if (event instanceof RunEvent.RuntimeError error) {
      lastError = error.code();
    }
    if (!(event instanceof RunEvent.SessionUpdated told)) {
      return true;
    }
    if (session != null) {
      return false;
    }
    session = told.nativeSessionId();
    return true;
  }

  /// The session, once it was reported.
  Optional<String> session() {
    return Optional.ofNullable(session);
  }

  /// The failure as an error, unless it was the last one reported.
  Optional<RunEvent> error(Failure failure) {
    return failure.code().equals(lastError)
        ? Optional.empty()
        : Optional.of(new RunEvent.RuntimeError(failure.code(), failure.message()));
  }
}
