package dev.runyard.core.event;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/// Tokens of model calls. `inputTokens` includes cache reads (`cachedInputTokens`), `outputTokens`
/// includes reasoning (`reasoningTokens`), as the OpenTelemetry GenAI conventions count them.
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Usage(
    long inputTokens,
    long cachedInputTokens,
    long outputTokens,
    long reasoningTokens,
    @Nullable Double costUsd) {
  public static final Usage NONE = new Usage(0, 0, 0, 0, null);

  public Usage plus(Usage more) {
    Double cost =
        costUsd == null && more.costUsd == null
            ? null
            : Double.valueOf(orZero(costUsd) + orZero(more.costUsd));
    return new Usage(
        inputTokens + more.inputTokens,
        cachedInputTokens + more.cachedInputTokens,
        outputTokens + more.outputTokens,
        reasoningTokens + more.reasoningTokens,
        cost);
  }

  private static double orZero(@Nullable Double value) {
    return value == null ? 0 : value;
  }
}
