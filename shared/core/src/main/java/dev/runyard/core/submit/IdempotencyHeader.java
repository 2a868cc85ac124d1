package dev.runyard.core.submit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.ids.Digest;
import dev.runyard.core.json.JsonBody;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.regex.Pattern;

/// The `Idempotency-Key` header: a quoted string as in its draft standard, or bare text, of
/// printable ASCII characters.
public final class IdempotencyHeader {
  private static final Pattern PRINTABLE =
      Pattern.compile("[ -~]{1," + IdempotencyStore.KEY_BYTES_MAX + "}");
  private static final Pattern ESCAPE = Pattern.compile("\\\\(.)");
  private static final Pattern QUOTED = Pattern.compile("\"((?:[^\"\\\\]|\\\\[\"\\\\])*)\"");

  private IdempotencyHeader() {}

  /// What the header turned out to be.
  public sealed interface Result {
    record Read(String key) implements Result {}

    record Rejected(Problem problem) implements Result {}
  }

  public static Result read(String header) {
    String text = header.strip();
    var quoted = QUOTED.matcher(text);
    boolean bare = !text.startsWith("\"");
    if (text.length() <= 2 * IdempotencyStore.KEY_BYTES_MAX + 2 && (bare || quoted.matches())) {
      String key = bare ? text : ESCAPE.matcher(quoted.group(1)).replaceAll("$1");
      if (!key.isBlank() && PRINTABLE.matcher(key).matches()) {
        return new Result.Read(key);
      }
    }
    return new Result.Rejected(
        Problem.of(
            ProblemCode.INVALID_REQUEST,
            "Idempotency-Key must have 1 to %d printable ASCII characters, quoted or not."
                .formatted(IdempotencyStore.KEY_BYTES_MAX)));
  }

  /// Identifies what a request asks for: SHA-256 over tenant, route and the canonical form of the
  /// body, in hexadecimal.
  public static String fingerprint(String tenant, String route, ObjectNode body) {
    byte[] place = (tenant + "\n" + route + "\n").getBytes(StandardCharsets.UTF_8);
    return HexFormat.of().formatHex(Digest.of(place, JsonBody.canonical(body)));
  }
}
