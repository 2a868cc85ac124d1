package dev.runyard.core.attempt;

import dev.runyard.core.event.RunEvent;
import java.util.Optional;
import java.util.concurrent.Future;

/// What an ended agent remembers, on its way to where the next attempt of its session finds it.
/// Neither future fails.
public interface Keeping {
  /// Done when it is stored, or cannot be; nobody is led to it yet.
  Future<?> stored();

  /// Leads others to it, or leaves nothing behind where the attempt is not the run's any more; to
  /// be called once, when it is stored. Tells where keeping failed.
  Future<Optional<RunEvent>> settle(boolean ours);
}
