package dev.runyard.runner.backend.clientprotocol;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.usage.Usage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the turns of one process used. Agents count in different places: with the end of a turn,
/// beside it, or with each call of the model; and money as the sum of the session so far. Not
/// thread-safe.
final class ClientProtocolUsage {
  private final @Nullable String model;
  private Usage calls = Usage.NONE;
  private double costUsd;
  private double costUsdTold;

  /// @param model that was asked for, null for the agent's own choice
  ClientProtocolUsage(@Nullable String model) {
    this.model = model;
  }

  /// An update may count a call of the model or tell the cost so far.
  void update(JsonNode update) {
    calls = calls.plus(counted(update.at("/_meta/usage")));
    JsonNode cost = update.path("cost");
    if (cost.path("amount").isNumber() && cost.path("currency").asText("").equals("USD")) {
      costUsd = Math.max(costUsd, cost.path("amount").doubleValue());
    }
  }

  /// The end of a turn: what it used, where that is known.
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

  /// Whether cached and reasoning tokens are counted within input and output only the total tells.
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
