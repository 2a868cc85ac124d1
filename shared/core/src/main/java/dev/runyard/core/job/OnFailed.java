package dev.runyard.core.job;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// What becomes of a job whose items have all been run, and some of them failed.
public enum OnFailed {
  /// It waits until each of them was retried or reported.
  HOLD,
  /// It ends.
  FINISH;

  @JsonValue
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// Reads what [#wire] wrote.
  @JsonCreator
  public static OnFailed stored(String text) {
    return of(text).orElseThrow(() -> new IllegalArgumentException("not hold or finish: " + text));
  }

  public static Optional<OnFailed> of(String text) {
    return Arrays.stream(values()).filter(one -> one.wire().equals(text)).findFirst();
  }
}
