package dev.runyard.core.task;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// What completes a task.
public enum Acceptance {
  /// Its run, if that completes.
  RUN,
  /// Somebody who says so.
  MANUAL;

  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<Acceptance> of(String wire) {
    return Arrays.stream(values()).filter(one -> one.wire().equals(wire)).findFirst();
  }
}
