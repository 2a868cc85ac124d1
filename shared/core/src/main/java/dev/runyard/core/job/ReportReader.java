package dev.runyard.core.job;

import dev.runyard.core.json.JsonBody;
import dev.runyard.core.json.JsonFields;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.problem.Problem;
import java.util.Set;

/// Reads the body of a report: `{"note"}`.
public final class ReportReader {
  public static final String NOTE = "note";

  private ReportReader() {}

  /// What the body turned out to be.
  public sealed interface Result {
    record Accepted(String note) implements Result {}

    record Rejected(Problem problem) implements Result {}
  }

  public static Result read(byte[] body) {
    return switch (JsonBody.read(body)) {
      case JsonBody.Result.Rejected rejected -> new Result.Rejected(rejected.problem());
      case JsonBody.Result.Read read -> {
        JsonFields members = JsonFields.of(read.object(), Set.of(NOTE));
        String note = note(members);
        yield members
            .problem()
            .<Result>map(Result.Rejected::new)
            .orElseGet(() -> new Result.Accepted(note));
      }
    };
  }

  /// Reads the note among other members.
  public static String note(JsonFields members) {
    String note = members.requiredText(NOTE);
    if (note.isBlank() || Bounds.bytes(note) > JobLimits.REPORT_BYTES_MAX) {
      members.refuse(
          NOTE,
          "note must not be blank and must have at most %d bytes"
              .formatted(JobLimits.REPORT_BYTES_MAX));
    }
    return note;
  }
}
