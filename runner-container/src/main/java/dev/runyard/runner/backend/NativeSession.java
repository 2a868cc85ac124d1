package dev.runyard.runner.backend;

import dev.runyard.core.event.RunEvent;
import java.util.List;

/// The session a CLI names in its output: told the first time, since some name it on every line.
/// Not thread-safe.
public final class NativeSession {
  private boolean told;

  /// What to tell of the name a line gives; a blank one is none.
  public List<RunEvent> named(String name) {
    String id = name.strip();
    if (told || id.isEmpty()) {
      return List.of();
    }
    told = true;
    return List.of(new RunEvent.SessionUpdated(id));
  }
}
