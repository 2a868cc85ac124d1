package dev.runyard.core.attempt;

import dev.runyard.core.event.RunEvent;
import java.util.Optional;
import java.util.concurrent.Future;

/// Storing an ended agent's session files for the next attempt of its session. Neither future
/// fails.
public interface Keeping {
  /// Done when they are stored, or cannot be; nothing points to them yet.
  Future<?> stored();

  /// Points other attempts to them, or removes them if the attempt has lost the run; to be called
  /// once, when they are stored. Returns a warning if storing failed.
  Future<Optional<RunEvent>> settle(boolean ours);
}
