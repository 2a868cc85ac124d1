package dev.runyard.core.request;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// What happens to a turn whose thread has another one.
public enum Busy {
  /// It waits behind those before it.
  QUEUE,
  /// It is refused.
  REJECT,
  /// What it says goes to the running turn as a message, and no turn begins.
  STEER,
  /// The running turn is ended, and it is the next.
  INTERRUPT;

  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<Busy> of(String wire) {
    return Arrays.stream(values()).filter(busy -> busy.wire().equals(wire)).findFirst();
  }
}
