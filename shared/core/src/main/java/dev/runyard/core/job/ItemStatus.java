package dev.runyard.core.job;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// How an item of a job is doing.
public enum ItemStatus {
  PENDING,
  RUNNING,
  COMPLETED,
  FAILED,
  /// It failed, and somebody has said what is to be thought of that.
  REPORTED;

  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<ItemStatus> of(String text) {
    return Arrays.stream(values()).filter(one -> one.wire().equals(text)).findFirst();
  }
}
