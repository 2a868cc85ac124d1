package dev.runyard.cli.show;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Locale;

/// Durations, as people read them.
public final class Times {
  private Times() {}

  public static String seconds(long millis) {
    if (millis < 1000) {
      return millis + " ms";
    }
    Duration length = Duration.ofMillis(millis);
    if (length.toSeconds() < 60) {
      return String.format(Locale.ROOT, "%.1f s", millis / 1000.0);
    }
    return length.toHours() > 0
        ? length.toHours() + " h " + length.toMinutesPart() + " min"
        : length.toMinutes() + " min " + length.toSecondsPart() + " s";
  }

  /// The time between two RFC 3339 instants; empty when either is absent.
  public static String between(String from, String to) {
    try {
      return seconds(Duration.between(Instant.parse(from), Instant.parse(to)).toMillis());
    } catch (DateTimeParseException _) {
      return "";
    }
  }
}
