package dev.runyard.core.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/// The JSON settings of everything that is stored or sent.
public final class JsonFormat {
  private static final int DEPTH_MAX = 200;

  /// Bounded depth, unknown members ignored, no polymorphic typing.
  public static final ObjectMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(DEPTH_MAX).build())
                  .build())
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .addModule(InstantJson.module(JsonFormat::time))
          .build();

  /// Events that are written together have the same time, so the last one of each direction is
  /// remembered.
  private static volatile Time written = new Time(Instant.EPOCH, "1970-01-01T00:00:00Z");

  private static volatile Time seconds = written;

  private static volatile Time read = written;

  private JsonFormat() {}

  /// RFC 3339 in UTC with milliseconds and `Z`.
  public static String time(Instant instant) {
    Instant millis = instant.truncatedTo(ChronoUnit.MILLIS);
    Time last = written;
    if (!last.at.equals(millis)) {
      last = new Time(millis, text(millis));
      written = last;
    }
    return last.text;
  }

  /// The same, or null for none.
  public static @Nullable String timeOrNull(@Nullable Instant instant) {
    return instant == null ? null : time(instant);
  }

  /// A date takes long to format, and those of a second differ in their milliseconds alone.
  private static String text(Instant millis) {
    Instant second = millis.truncatedTo(ChronoUnit.SECONDS);
    Time whole = second(second);
    int fraction = millis.get(ChronoField.MILLI_OF_SECOND);
    return fraction == 0
        ? whole.text
        : whole.text.substring(0, whole.text.length() - 1)
            + '.'
            + (char) ('0' + fraction / 100)
            + (char) ('0' + fraction / 10 % 10)
            + (char) ('0' + fraction % 10)
            + 'Z';
  }

  private static Time second(Instant at) {
    Time last = seconds;
    if (!last.at.equals(at)) {
      last = new Time(at, DateTimeFormatter.ISO_INSTANT.format(at));
      seconds = last;
    }
    return last;
  }

  /// The time that a text in the format of RFC 3339 says.
  ///
  /// @throws java.time.format.DateTimeParseException for any other text
  public static Instant time(String text) {
    Time last = read;
    if (!last.text.equals(text)) {
      last = new Time(Instant.parse(text), text);
      read = last;
    }
    return last.at;
  }

  private record Time(Instant at, String text) {}
}
