package dev.runyard.core.usage;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/// What calls of a model used. `inputTokens` is all of the prompt: it includes what was read from
/// the provider's cache (`cachedInputTokens`) and what was written to it (`cacheWriteTokens`).
/// `outputTokens` includes reasoning (`reasoningTokens`). Both are counted as in the OpenTelemetry
/// GenAI conventions.
///
/// @param turns answers of the model that are counted here; 0 if an agent reports only a sum, or
///   corrects one
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Usage(
    long inputTokens,
    long cachedInputTokens,
    long cacheWriteTokens,
    long outputTokens,
    long reasoningTokens,
    @Nullable Double costUsd,
    int turns) {
  public static final Usage NONE = new Usage(0, 0, 0, 0, null);

  /// A sum without cache writes.
  public Usage(
      long inputTokens,
      long cachedInputTokens,
      long outputTokens,
      long reasoningTokens,
      @Nullable Double costUsd) {
    this(inputTokens, cachedInputTokens, 0, outputTokens, reasoningTokens, costUsd, 0);
  }

  public Usage plus(Usage more) {
    Double cost =
        costUsd == null && more.costUsd == null
            ? null
            : Double.valueOf(orZero(costUsd) + orZero(more.costUsd));
    return new Usage(
        inputTokens + more.inputTokens,
        cachedInputTokens + more.cachedInputTokens,
        cacheWriteTokens + more.cacheWriteTokens,
        outputTokens + more.outputTokens,
        reasoningTokens + more.reasoningTokens,
        cost,
        turns + more.turns);
  }

  /// The tokens beyond those that were reported before, at least 0; no cost and no turns.
  public Usage beyond(Usage told) {
    return new Usage(
        Math.max(0, inputTokens - told.inputTokens),
        Math.max(0, cachedInputTokens - told.cachedInputTokens),
        Math.max(0, cacheWriteTokens - told.cacheWriteTokens),
        Math.max(0, outputTokens - told.outputTokens),
        Math.max(0, reasoningTokens - told.reasoningTokens),
        null,
        0);
  }

  /// The same at another cost.
  public Usage at(@Nullable Double cost) {
    return new Usage(
        inputTokens,
        cachedInputTokens,
        cacheWriteTokens,
        outputTokens,
        reasoningTokens,
        cost,
        turns);
  }

  /// The same as that of one answer of a model.
  public Usage asTurn() {
    return new Usage(
        inputTokens,
        cachedInputTokens,
        cacheWriteTokens,
        outputTokens,
        reasoningTokens,
        costUsd,
        1);
  }

  /// All tokens.
  public long tokens() {
    return inputTokens + outputTokens;
  }

  private static double orZero(@Nullable Double value) {
    return value == null ? 0 : value;
  }
}
