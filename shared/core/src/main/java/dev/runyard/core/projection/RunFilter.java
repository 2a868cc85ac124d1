package dev.runyard.core.projection;

import dev.runyard.core.run.RunState;
import org.jspecify.annotations.Nullable;

/// Which runs a list shows; null members match everything.
public record RunFilter(
    @Nullable String status, @Nullable String agent, @Nullable String sessionId) {
  public static final RunFilter ALL = new RunFilter(null, null, null);

  public boolean matches(RunState.Existing run) {
    return (status == null || status.equals(run.status().wire()))
        && (agent == null || agent.equals(run.facts().request().agent()))
        && (sessionId == null || sessionId.equals(run.facts().request().sessionId()));
  }
}
