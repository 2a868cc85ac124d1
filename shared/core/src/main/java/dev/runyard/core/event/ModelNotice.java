package dev.runyard.core.event;

import org.jspecify.annotations.Nullable;

/// What the model gateway tells of an agent's calls, beside what they used: those that brought no
/// answer, and what is left of the run's bounds.
public sealed interface ModelNotice extends RunEvent.RunnerNotice {
  /// A call of a model brought no answer: the provider refused it or failed, or the model gateway
  /// refused it.
  @EventType("model.failed")
  record ModelFailed(String code, String message, @Nullable String model, ModelCall call)
      implements ModelNotice {}

  /// The provider answered a call of a model with 429.
  @EventType("rate_limit.hit")
  record RateLimitHit(@Nullable String model, @Nullable Integer retryAfterSeconds, ModelCall call)
      implements ModelNotice {}

  /// The run has used most of what a bound allows.
  @EventType("quota.low")
  record QuotaLow(String bound, double used, double max) implements ModelNotice {}

  /// A call of a model was refused, because the run has used all that a bound allows.
  @EventType("quota.blocked")
  record QuotaBlocked(String bound, @Nullable String model) implements ModelNotice {}
}
