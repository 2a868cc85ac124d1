package dev.runyard.runner.isolation;

import java.util.Locale;

/// How attempts are kept apart from each other and from the runner, the strictest first.
public enum IsolationLevel {
  /// Each attempt has a user of its own.
  UID,
  /// Each attempt has namespaces of its own, made by bubblewrap.
  BUBBLEWRAP,
  /// Attempts are the runner's user's own processes.
  NONE;

  /// The word for it in settings and events.
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }
}
