package dev.runyard.core.cancel;

import dev.runyard.core.json.JsonBody;
import dev.runyard.core.json.JsonFields;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.Problem;
import java.util.Set;

/// Reads the body of a cancel: nothing, or `{"reason"}`.
public final class CancelRequestReader {
  public static final String REASON = "reason";
  public static final String REASON_DEFAULT = "requested by the client";

  private CancelRequestReader() {}

  /// What the body turned out to be.
  public sealed interface Result {
    record Accepted(String reason) implements Result {}

    record Rejected(Problem problem) implements Result {}
  }

  public static Result read(byte[] body) {
    if (body.length == 0) {
      return new Result.Accepted(REASON_DEFAULT);
    }
    return switch (JsonBody.read(body)) {
      case JsonBody.Result.Rejected rejected -> new Result.Rejected(rejected.problem());
      case JsonBody.Result.Read read -> {
        JsonFields members = JsonFields.of(read.object(), Set.of(REASON));
        String reason = reason(members);
        yield members
            .problem()
            .<Result>map(Result.Rejected::new)
            .orElseGet(() -> new Result.Accepted(reason));
      }
    };
  }

  /// Reads the reason among other members.
  public static String reason(JsonFields members) {
    String reason = members.text(REASON).orElse(REASON_DEFAULT);
    if (reason.isBlank() || Bounds.bytes(reason) > Limits.REASON_BYTES_MAX) {
      members.refuse(
          REASON,
          "reason must not be blank and must have at most %d bytes"
              .formatted(Limits.REASON_BYTES_MAX));
    }
    return reason;
  }
}
