package dev.runyard.runner.backend.clientprotocol;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.usage.Usage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The usage of one process's turns. Agents report it in different places: with the end of a turn,
/// separately, or with each call of the model; and cost as the session's sum so far. Not
/// thread-safe.
final class ClientProtocolUsage {
  private final @Nullable String model;
  private Usage calls = Usage.NONE;
  private double costUsd;
  private double costUsdTold;

  /// @param model the requested one, null for the agent's own choice
  ClientProtocolUsage(@Nullable String model) {
    this.model = model;
  }

  /// An update may count a call of the model or report the cost so far.
  void update(JsonNode update) {
    calls = calls.plus(counted(update.at("/_meta/usage")));
    JsonNode cost = update.path("cost");
    if (cost.path("amount").isNumber() && cost.path("currency").asText("").equals("USD")) {
      costUsd = Math.max(costUsd, cost.path("amount").doubleValue());
    }
  }

  /// The end of a turn: its usage, if known.
  List<RunEvent> turn(JsonNode result) {
    Usage used = counted(result.path("usage"));
    JsonNode quota = result.at("/_meta/quota/token_count");
    Usage all =
        !used.equals(Usage.NONE)
            ? used
            : quota.isObject()
                ? new Usage(count(quota, "input_tokens"), 0, count(quota, "output_tokens"), 0, null)
                : calls;
    calls = Usage.NONE;
    double cost = costUsd - costUsdTold;
    costUsdTold = costUsd;
    if (all.equals(Usage.NONE) && cost == 0) {
      return List.of();
    }
    return List.of(
        new RunEvent.CostRecorded(all.at(costUsd == 0 ? null : Double.valueOf(cost)), model));
  }

  /// Only the total shows whether cached and reasoning tokens are included in input and output.
  private static Usage counted(JsonNode usage) {
    long input = count(usage, "inputTokens");
    long output = count(usage, "outputTokens");
    long read = count(usage, "cachedReadTokens");
    long written = count(usage, "cachedWriteTokens");
    long thought = count(usage, "thoughtTokens");
    long beyond = count(usage, "totalTokens") - input - output;
    boolean cacheApart = read + written > 0 && beyond >= read + written;
    boolean thoughtApart = thought > 0 && beyond - (cacheApart ? read + written : 0) >= thought;
    return new Usage(
        input + (cacheApart ? read + written : 0),
        read,
        written,
        output + (thoughtApart ? thought : 0),
        thought,
        null,
        0);
  }

  private static long count(JsonNode counts, String member) {
    return Math.max(0, counts.path(member).asLong(0));
  }
}
