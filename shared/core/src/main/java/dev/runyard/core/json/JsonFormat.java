package dev.runyard.core.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;

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

  private JsonFormat() {}

  /// RFC 3339 in UTC with milliseconds and `Z`.
  public static String time(Instant instant) {
    return DateTimeFormatter.ISO_INSTANT.format(instant.truncatedTo(ChronoUnit.MILLIS));
  }
}
