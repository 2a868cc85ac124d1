package dev.runyard.core.task;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// To whom a task is to be shown. It is for clients to observe.
public enum Visibility {
  FOREGROUND,
  BACKGROUND,
  INTERNAL,
  HIDDEN;

  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<Visibility> of(String wire) {
    return Arrays.stream(values()).filter(one -> one.wire().equals(wire)).findFirst();
  }
}
