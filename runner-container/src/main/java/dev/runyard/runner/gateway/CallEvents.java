package dev.runyard.runner.gateway;

import dev.runyard.core.event.ModelCall;
import dev.runyard.core.event.ModelNotice;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.limits.Bounds;
import dev.runyard.runner.backend.AgentTrouble;
import dev.runyard.runner.backend.cli.CliTrouble;
import org.jspecify.annotations.Nullable;

/// What a run's log says of calls that brought no answer.
final class CallEvents {
  /// Most bytes of a model's name.
  static final int MODEL_BYTES_MAX = 256;

  private static final int TOO_MANY_REQUESTS = 429;

  private CallEvents() {}

  /// The gateway itself refused it.
  static RunEvent refused(Refusal why, @Nullable String model, String api) {
    ModelCall call = new ModelCall(api, why.status(), null, 0, 0, false, null);
    return new ModelNotice.ModelFailed(why.code(), why.message(), named(model), call);
  }

  /// The provider refused it, or failed.
  static RunEvent failed(CallEnd end, @Nullable String model) {
    int status = end.failed().orElse(0);
    if (status == TOO_MANY_REQUESTS) {
      return new ModelNotice.RateLimitHit(named(model), end.retryAfterSeconds(), end.call());
    }
    AgentTrouble why =
        status == 0
            ? AgentTrouble.NETWORK
            : CliTrouble.ofStatus(status)
                .map(CliTrouble::meaning)
                .orElse(AgentTrouble.REQUEST_REJECTED);
    String message = why.failure("The model gateway").message();
    return new ModelNotice.ModelFailed(why.code(), message, named(model), end.call());
  }

  static @Nullable String named(@Nullable String model) {
    return model == null ? null : Bounds.truncate(Bounds.wellFormed(model), MODEL_BYTES_MAX);
  }
}
