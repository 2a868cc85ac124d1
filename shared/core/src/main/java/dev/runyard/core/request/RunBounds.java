package dev.runyard.core.request;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.core.limits.Limits;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Limits that a request sets on its run besides the run time. Null means not set.
///
/// @param maxTurns answers of the model the run may have
/// @param maxTokens tokens in and out it may use
/// @param maxCostUsd US dollars it may cost
/// @param idleTimeoutSeconds longest time without output while nobody is asked; 0 disables it
/// @param actionTimeoutSeconds how long the run waits for a person if the agent sets no time
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RunBounds(
    @Nullable Integer maxTurns,
    @Nullable Long maxTokens,
    @Nullable Double maxCostUsd,
    @Nullable Integer idleTimeoutSeconds,
    @Nullable Integer actionTimeoutSeconds) {
  /// Names of the bounds on what model calls use, as requests spell them.
  public static final String MAX_TURNS = "max_turns";

  public static final String MAX_TOKENS = "max_tokens";
  public static final String MAX_COST_USD = "max_cost_usd";

  public static final RunBounds NONE = new RunBounds(null, null, null, null, null);

  /// True when the run is stopped by what its model calls use: its agent must report each call when
  /// it is made.
  public boolean metered() {
    return maxTurns != null || maxTokens != null || maxCostUsd != null;
  }

  /// The capabilities an agent needs to be stopped in time.
  public List<String> needs() {
    List<String> needs = new ArrayList<>();
    if (maxTurns != null) {
      needs.add(Capabilities.TURN_LIMIT);
    }
    if (maxTokens != null) {
      needs.add(Capabilities.TOKEN_LIMIT);
    }
    if (maxCostUsd != null) {
      needs.add(Capabilities.COST_LIMIT);
    }
    return needs;
  }

  /// How long the run waits for a person if the agent sets no time.
  public int awaitSeconds() {
    return actionTimeoutSeconds == null ? Limits.AWAIT_SECONDS_DEFAULT : actionTimeoutSeconds;
  }
}
