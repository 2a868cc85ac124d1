package dev.runyard.core.action;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.json.JsonBody;
import dev.runyard.core.json.JsonFields;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.Problem;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads the body of a decision: `{"decision", "payload"}`, the payload any JSON or absent.
public final class DecisionReader {
  private static final Set<String> MEMBERS = Set.of("decision", "payload");
  private static final Set<ActionDecision> OF_PEOPLE =
      Set.of(ActionDecision.APPROVE, ActionDecision.DENY, ActionDecision.ANSWER);

  private DecisionReader() {}

  /// What the body turned out to be.
  public sealed interface Result {
    record Accepted(ActionDecision decision, @Nullable JsonNode payload) implements Result {}

    record Rejected(Problem problem) implements Result {}
  }

  public static Result read(byte[] body) {
    return switch (JsonBody.read(body)) {
      case JsonBody.Result.Rejected rejected -> new Result.Rejected(rejected.problem());
      case JsonBody.Result.Read read -> read(read.object());
    };
  }

  /// Reads a decision that is JSON already.
  public static Result read(ObjectNode body) {
    JsonFields members = JsonFields.of(body, MEMBERS);
    Optional<ActionDecision> decision =
        ActionDecision.ofWire(members.requiredText("decision")).filter(OF_PEOPLE::contains);
    if (decision.isEmpty()) {
      members.refuse("decision", "decision must be one of: approve | deny | answer");
    }
    JsonNode payload = members.has("payload") ? body.get("payload") : null;
    if (payload != null && Bounds.bytes(payload.toString()) > Limits.DECISION_BYTES_MAX) {
      members.refuse(
          "payload", "payload has at most %d bytes".formatted(Limits.DECISION_BYTES_MAX));
    }
    return members
        .problem()
        .<Result>map(Result.Rejected::new)
        .orElseGet(() -> new Result.Accepted(decision.orElseThrow(), payload));
  }
}
