package dev.runyard.cli.show;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;

/// Tokens and cost. Reads both spellings: events are camelCase, the run is snake_case.
public final class UsageText {
  private UsageText() {}

  /// Empty when nothing was counted.
  public static String of(JsonNode usage) {
    if (number(usage, "inputTokens", "input_tokens")
            + number(usage, "outputTokens", "output_tokens")
        == 0) {
      return "";
    }
    StringBuilder text = new StringBuilder();
    text.append(number(usage, "inputTokens", "input_tokens")).append(" tokens in");
    long cached = number(usage, "cachedInputTokens", "cached_input_tokens");
    text.append(cached > 0 ? " (" + cached + " cached)" : "");
    text.append(", ").append(number(usage, "outputTokens", "output_tokens")).append(" out");
    JsonNode cost = usage.path(usage.has("costUsd") ? "costUsd" : "cost_usd");
    text.append(cost.isNumber() ? String.format(Locale.ROOT, ", $%.4f", cost.asDouble()) : "");
    return text.toString();
  }

  private static long number(JsonNode usage, String camel, String snake) {
    return usage.path(usage.has(camel) ? camel : snake).asLong();
  }
}
