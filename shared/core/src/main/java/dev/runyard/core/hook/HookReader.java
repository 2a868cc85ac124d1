package dev.runyard.core.hook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.json.JsonFields;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.problem.Pointer;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Reads what a tenant says of a hook: its form, not whether the secret and the agent that it names
/// are there.
final class HookReader {
  static final String ENABLED = "enabled";
  static final String ALLOW = "allow";
  private static final String NAME = "name";
  private static final String SENDER = "sender";
  static final String SECRET = "secret";
  private static final String TOLERANCE = "tolerance_seconds";
  private static final Set<String> MEMBERS =
      Set.of(
          NAME,
          SENDER,
          SECRET,
          ENABLED,
          HmacScheme.MEMBER,
          TOLERANCE,
          HookFilter.MEMBER,
          HookTemplate.MEMBER,
          ALLOW);

  private HookReader() {}

  /// The result of reading a hook.
  sealed interface Result {
    record Read(HookDefinition definition) implements Result {}

    record Rejected(Problem problem) implements Result {}
  }

  static Result read(ObjectNode body) {
    if (Bounds.bytes(body.toString()) > HookLimits.HOOK_BYTES_MAX) {
      return new Result.Rejected(
          Problem.of(
              ProblemCode.BODY_TOO_LARGE,
              "A hook has at most %d bytes.".formatted(HookLimits.HOOK_BYTES_MAX)));
    }
    JsonFields members = JsonFields.of(body, MEMBERS);
    String name = name(members);
    Optional<HookSender> sender = HookSender.of(members.requiredText(SENDER));
    if (sender.isEmpty()) {
      members.refuse(SENDER, "sender must be one of " + String.join(", ", HookSender.names()));
    }
    boolean hmac = sender.filter(HookSender.HMAC::equals).isPresent();
    if (members.has(HmacScheme.MEMBER) && !hmac) {
      members.refuse(HmacScheme.MEMBER, "Only the sender hmac has a scheme to describe");
    }
    String secret = members.requiredText(SECRET);
    int tolerance =
        members.whole(
            TOLERANCE, 1, HookLimits.TOLERANCE_SECONDS_MAX, HookLimits.TOLERANCE_SECONDS_DEFAULT);
    Optional<HmacScheme> scheme = hmac ? Optional.of(HmacScheme.read(members)) : Optional.empty();
    List<HookFilter> when = HookFilter.read(members);
    Map<String, List<String>> allowed = allowed(members);
    ObjectNode run = run(members);
    boolean enabled = !members.has(ENABLED) || members.flag(ENABLED);
    Optional<Problem> problem = members.problem();
    if (problem.isPresent()) {
      return new Result.Rejected(problem.get());
    }
    return switch (HookTemplate.read(run, allowed)) {
      case HookTemplate.Result.Rejected(Problem wrong) -> new Result.Rejected(wrong);
      case HookTemplate.Result.Read(HookTemplate template) ->
          unshown(
              new HookDefinition(
                  name, sender.orElseThrow(), secret, enabled, scheme, tolerance, when, template));
    };
  }

  /// What proves a delivery is never shown, whatever header it is in.
  private static Result unshown(HookDefinition hook) {
    Optional<HookSource> proof = hook.hmac().flatMap(scheme -> HookSource.header(scheme.header()));
    boolean shown =
        proof.isPresent()
            && Stream.concat(
                    hook.when().stream().map(HookFilter::source), hook.template().sources())
                .anyMatch(proof.get()::equals);
    return shown
        ? new Result.Rejected(
            Problem.at(
                ProblemCode.INVALID_REQUEST,
                Pointer.of(HmacScheme.MEMBER),
                "The header that has the signature can neither be asked for nor put anywhere"))
        : new Result.Read(hook);
  }

  private static String name(JsonFields members) {
    String name = members.requiredText(NAME);
    if (name.isBlank()
        || Bounds.bytes(name) > HookLimits.NAME_BYTES_MAX
        || name.chars().anyMatch(Character::isISOControl)) {
      members.refuse(
          NAME,
          "name must not be blank, be one line and have at most %d bytes"
              .formatted(HookLimits.NAME_BYTES_MAX));
    }
    return name;
  }

  private static ObjectNode run(JsonFields members) {
    if (members.value(HookTemplate.MEMBER) instanceof ObjectNode run) {
      return run;
    }
    members.refuse(HookTemplate.MEMBER, "run must be an object, as for POST /v1/runs");
    return JsonNodeFactory.instance.objectNode();
  }

  private static Map<String, List<String>> allowed(JsonFields members) {
    Map<String, List<String>> allowed = new HashMap<>();
    members
        .values(ALLOW, HookLimits.ALLOWED_PLACES_MAX)
        .forEach(
            (place, values) -> {
              if (!isList(values)) {
                members.refuse(
                    Problem.at(
                        ProblemCode.INVALID_REQUEST,
                        Pointer.of(ALLOW, place),
                        "allow has for each place a list of 1 to %d texts of at most %d bytes"
                            .formatted(
                                HookLimits.ALLOWED_VALUES_MAX, HookLimits.FILTER_VALUE_BYTES_MAX)));
              }
              allowed.put(place, values.valueStream().map(JsonNode::asText).toList());
            });
    return allowed;
  }

  private static boolean isList(JsonNode values) {
    return values.isArray()
        && !values.isEmpty()
        && values.size() <= HookLimits.ALLOWED_VALUES_MAX
        && values
            .valueStream()
            .allMatch(
                value ->
                    value.isTextual()
                        && !value.textValue().isEmpty()
                        && Bounds.bytes(value.textValue()) <= HookLimits.FILTER_VALUE_BYTES_MAX);
  }
}
