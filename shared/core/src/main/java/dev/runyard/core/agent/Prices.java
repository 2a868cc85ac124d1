package dev.runyard.core.agent;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.problem.Pointer;
import dev.runyard.core.usage.Usage;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What the tokens of an agent's models cost, as the operator says.
///
/// @param byModel prices by the name of a model; `*` for every other
public record Prices(Map<String, Price> byModel) {
  public static final Prices NONE = new Prices(Map.of());

  /// Stands for every model that has no prices of its own.
  public static final String ANY = "*";

  private static final double TOKENS = 1_000_000;
  private static final Set<String> MEMBERS =
      Set.of("input", "cached_input", "cache_write", "output");

  public Prices {
    byModel = Map.copyOf(byModel);
  }

  /// US dollars per million tokens.
  ///
  /// @param input of a prompt's tokens that are neither read from a cache nor written to one
  /// @param cachedInput of those read from a cache
  /// @param cacheWrite of those written to one
  /// @param output of those the model wrote
  public record Price(double input, double cachedInput, double cacheWrite, double output) {
    double of(Usage usage) {
      long plain =
          Math.max(0, usage.inputTokens() - usage.cachedInputTokens() - usage.cacheWriteTokens());
      return (plain * input
              + usage.cachedInputTokens() * cachedInput
              + usage.cacheWriteTokens() * cacheWrite
              + usage.outputTokens() * output)
          / TOKENS;
    }
  }

  /// True when every model has a price.
  public boolean complete() {
    return byModel.containsKey(ANY);
  }

  /// What a use costs; the agent's own figure where the model has no price.
  public Usage priced(Usage usage, @Nullable String model) {
    return Optional.ofNullable(model)
        .map(byModel::get)
        .or(() -> Optional.ofNullable(byModel.get(ANY)))
        .map(price -> usage.at(price.of(usage)))
        .orElse(usage);
  }

  /// Reads the member `prices` of an agent in the operator's document.
  ///
  /// @param at the member's place in the document
  static Prices read(JsonNode node, String at) {
    if (node.isMissingNode()) {
      return NONE;
    }
    AgentSettings.object(node, at, Set.of());
    Map<String, Price> prices = new TreeMap<>();
    for (Map.Entry<String, JsonNode> entry : node.properties()) {
      String model = Pointer.child(at, entry.getKey());
      AgentSettings.object(entry.getValue(), model, MEMBERS);
      double input = price(entry.getValue(), model, "input", null);
      prices.put(
          entry.getKey(),
          new Price(
              input,
              price(entry.getValue(), model, "cached_input", input),
              price(entry.getValue(), model, "cache_write", input),
              price(entry.getValue(), model, "output", null)));
    }
    return new Prices(prices);
  }

  private static double price(JsonNode node, String at, String member, @Nullable Double absent) {
    JsonNode value = node.path(member);
    if (value.isMissingNode() && absent != null) {
      return absent;
    }
    if (!value.isNumber()
        || !(value.doubleValue() >= 0)
        || Double.isInfinite(value.doubleValue())) {
      throw AgentSettings.wrong(at + "/" + member, "must be a number that is not below 0");
    }
    return value.doubleValue();
  }
}
