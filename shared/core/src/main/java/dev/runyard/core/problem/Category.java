package dev.runyard.core.problem;

import java.util.Locale;

/// Who can fix a failure: the caller, the agent's backend, whoever adds capacity, or Runyard
/// itself.
public enum Category {
  CALLER,
  BACKEND,
  CAPACITY,
  INTERNAL;

  /// Its name in JSON.
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }
}
