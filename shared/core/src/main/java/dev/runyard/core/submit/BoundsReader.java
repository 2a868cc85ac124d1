package dev.runyard.core.submit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.agent.AgentError;
import dev.runyard.core.agent.AgentManifest;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.core.json.JsonFields;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.request.RunBounds;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/// Reads the bounds of a submit. A bound that cannot be enforced for the agent is refused, rather
/// than exceeded unnoticed.
final class BoundsReader {
  static final Set<String> MEMBERS =
      Set.of(
          "max_turns",
          "max_tokens",
          "max_cost_usd",
          "idle_timeout_seconds",
          "action_timeout_seconds");

  private BoundsReader() {}

  /// @param extensions of the same request
  static RunBounds read(
      JsonFields members, AgentManifest manifest, Map<String, JsonNode> extensions) {
    SortedSet<String> offered = manifest.capabilitiesOf(extensions);
    List<String> names = List.of("max_turns", "max_tokens", "max_cost_usd");
    List<String> needs =
        List.of(Capabilities.TURN_LIMIT, Capabilities.TOKEN_LIMIT, Capabilities.COST_LIMIT);
    for (int i = 0; i < names.size(); i++) {
      if (members.has(names.get(i)) && !offered.contains(needs.get(i))) {
        members.refuse(
            ProblemCode.UNSUPPORTED_CAPABILITY,
            names.get(i),
            new AgentError.UnsupportedCapability(manifest.kind(), needs.get(i)).display());
      }
    }
    OptionalLong tokens = members.optionalWhole("max_tokens", 1, Limits.TOKENS_MAX);
    OptionalDouble cost = members.optionalPositive("max_cost_usd", Limits.COST_USD_MAX);
    return new RunBounds(
        whole(members, "max_turns", 1, Limits.TURNS_MAX),
        tokens.isPresent() ? Long.valueOf(tokens.getAsLong()) : null,
        cost.isPresent() ? Double.valueOf(cost.getAsDouble()) : null,
        whole(members, "idle_timeout_seconds", 0, Limits.RUN_SECONDS_MAX),
        whole(members, "action_timeout_seconds", 1, Limits.AWAIT_SECONDS_MAX));
  }

  private static @Nullable Integer whole(JsonFields members, String name, int min, int max) {
    OptionalLong value = members.optionalWhole(name, min, max);
    return value.isPresent() ? Integer.valueOf((int) value.getAsLong()) : null;
  }
}
