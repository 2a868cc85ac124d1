package dev.runyard.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;

/// A job in one line.
final class JobText {
  private JobText() {}

  static String of(JsonNode job) {
    JsonNode counts = job.path("counts");
    return String.format(
        Locale.ROOT,
        "%s  %s  %d of %d completed, %d running, %d failed, %d reported  $%.4f",
        job.path("job_id").asText(),
        job.path("status").asText(),
        counts.path("completed").asInt(),
        counts.path("total").asInt(),
        counts.path("running").asInt(),
        counts.path("failed").asInt(),
        counts.path("reported").asInt(),
        job.at("/usage/cost_usd").asDouble());
  }
}
