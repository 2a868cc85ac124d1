package dev.runyard.core.inbox;

import dev.runyard.core.json.JsonBody;
import dev.runyard.core.json.JsonFields;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.Problem;
import java.util.Set;

/// Reads the body of a message: `{"content"}`.
public final class MessageBodyReader {
  private MessageBodyReader() {}

  /// What the body turned out to be.
  public sealed interface Result {
    record Accepted(String content) implements Result {}

    record Rejected(Problem problem) implements Result {}
  }

  public static Result read(byte[] body) {
    return switch (JsonBody.read(body)) {
      case JsonBody.Result.Rejected rejected -> new Result.Rejected(rejected.problem());
      case JsonBody.Result.Read read -> {
        JsonFields members = JsonFields.of(read.object(), Set.of("content"));
        String content = members.requiredText("content");
        if (content.isBlank() || Bounds.bytes(content) > Limits.MESSAGE_CONTENT_BYTES_MAX) {
          members.refuse(
              "content",
              "content must not be blank and must have at most %d bytes"
                  .formatted(Limits.MESSAGE_CONTENT_BYTES_MAX));
        }
        yield members
            .problem()
            .<Result>map(Result.Rejected::new)
            .orElseGet(() -> new Result.Accepted(content));
      }
    };
  }
}
