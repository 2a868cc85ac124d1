package dev.runyard.runner.backend;

import dev.runyard.core.event.RunEvent;
import java.util.List;

/// The session a CLI names in its output: reported once, since some name it on every line. Not
/// thread-safe.
public final class NativeSession {
  private boolean told;

  /// The events for a name in a line; a blank one is ignored.
  public List<RunEvent> named(String name) {
    String id = name.strip();
    if (told || id.isEmpty()) {
      return List.of();
    }
    told = true;
    return List.of(new RunEvent.SessionUpdated(id));
  }
}
