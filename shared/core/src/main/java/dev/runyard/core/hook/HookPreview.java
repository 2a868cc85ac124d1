package dev.runyard.core.hook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.json.JsonBody;
import dev.runyard.core.json.JsonFields;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.view.ProblemJson;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Says what a hook would make of a sample, without asking for its proof, and does nothing else.
public final class HookPreview {
  private static final String BODY = "body";
  private static final String HEADERS = "headers";
  private static final int HEADERS_MAX = 64;

  private final HookMapping mapping;

  public HookPreview(HookMapping mapping) {
    this.mapping = mapping;
  }

  /// What a sample turned out to be.
  public sealed interface Result {
    record Shown(ObjectNode json) implements Result {}

    record Rejected(Problem problem) implements Result {}
  }

  /// Reads `{"body", "headers"}`, where a body that is no text is sent as JSON.
  public Result of(Hook hook, byte[] sample) {
    return switch (JsonBody.read(sample, 2 * HookLimits.DELIVERY_BYTES_MAX)) {
      case JsonBody.Result.Rejected(Problem problem) -> new Result.Rejected(problem);
      case JsonBody.Result.Read(ObjectNode json) -> {
        JsonFields members = JsonFields.of(json, Set.of(BODY, HEADERS));
        if (!members.has(BODY)) {
          members.refuse(BODY, "body is required: JSON, or a text as it is sent");
        }
        Map<String, String> headers = headers(members);
        JsonNode body = members.value(BODY);
        String text = body.isTextual() ? body.textValue() : body.toString();
        yield members
            .problem()
            .<Result>map(Result.Rejected::new)
            .orElseGet(
                () ->
                    new Result.Shown(
                        shown(
                            mapping.of(
                                Hooks.definition(hook),
                                new HookRequest(headers, text.getBytes(StandardCharsets.UTF_8))))));
      }
    };
  }

  private static Map<String, String> headers(JsonFields members) {
    Map<String, String> headers = new HashMap<>();
    members
        .values(HEADERS, HEADERS_MAX)
        .forEach(
            (name, value) -> {
              if (!value.isTextual()) {
                members.refuse(HEADERS, "headers must be an object of texts");
              }
              headers.put(name, value.asText());
            });
    return headers;
  }

  private static ObjectNode shown(HookMapping.Result result) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    switch (result) {
      case HookMapping.Result.Run(_, ObjectNode body) ->
          with(json, HookOutcome.STARTED, "", Optional.empty()).set("run", body);
      case HookMapping.Result.Ignored(String reason) ->
          with(json, HookOutcome.IGNORED, reason, Optional.empty());
      case HookMapping.Result.Refused(Problem problem) ->
          with(json, HookOutcome.REFUSED, problem.detail(), Optional.of(problem));
      case HookMapping.Result.Challenge _ ->
          with(json, HookOutcome.CONFIRMED, "", Optional.empty());
    }
    return json;
  }

  private static ObjectNode with(
      ObjectNode json, HookOutcome outcome, String reason, Optional<Problem> problem) {
    json.put("outcome", outcome.wire()).put("reason", reason);
    json.putNull("run");
    json.set(
        "problem",
        problem.<JsonNode>map(ProblemJson::of).orElseGet(JsonNodeFactory.instance::nullNode));
    return json;
  }
}
