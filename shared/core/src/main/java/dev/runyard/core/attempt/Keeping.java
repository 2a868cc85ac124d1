package dev.runyard.core.attempt;

import dev.runyard.core.event.RunEvent;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;

/// Storing what an ended agent leaves: its session files for the next attempt of its session, and
/// what it changed in its workspace. Neither future fails.
public interface Keeping {
  /// Done when they are stored, or cannot be; nothing points to them yet.
  Future<?> stored();

  /// Points other attempts to them, or removes them if the attempt has lost the run; to be called
  /// once, when they are stored.
  Future<Settled> settle(boolean ours);

  /// What else the log is told, once the attempt has settled what is its own.
  default List<RunEvent> facts() {
    return List.of();
  }

  /// What became of the session files.
  ///
  /// @param kept whether another attempt can go on from them
  /// @param warning what the log is told of them, kept or not
  record Settled(boolean kept, Optional<RunEvent> warning) {
    /// All is kept, and there is nothing to say of it.
    public static final Settled SILENTLY = new Settled(true, Optional.empty());

    /// Kept, though not as it was.
    public static Settled kept(RunEvent warning) {
      return new Settled(true, Optional.of(warning));
    }

    public static Settled notKept(RunEvent warning) {
      return new Settled(false, Optional.of(warning));
    }
  }
}
