package dev.runyard.core.thread;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/// Why the order of a thread's turns changed.
public enum QueueChange {
  /// A turn came behind the others, or all that an earlier release had put in order.
  ADDED,
  /// Turns have ended.
  ENDED,
  /// A turn was taken out before it began.
  REMOVED,
  /// A turn is the next one.
  PROMOTED,
  /// All turns but the running one were taken out.
  CLEARED;

  @JsonValue
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  @JsonCreator
  static QueueChange of(String wire) {
    return valueOf(wire.toUpperCase(Locale.ROOT));
  }
}
