package dev.runyard.core.event;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Arrays;
import java.util.Optional;

/// How an action was decided. The last two are Runyard's own and never mean yes.
public enum ActionDecision {
  @JsonProperty("approve")
  APPROVE("approve"),
  @JsonProperty("deny")
  DENY("deny"),
  @JsonProperty("answer")
  ANSWER("answer"),
  /// Nobody decided in time.
  @JsonProperty("timed_out")
  TIMED_OUT("timed_out"),
  /// The run, or the attempt that asked, ended first.
  @JsonProperty("cancelled")
  CANCELLED("cancelled");

  private final String wire;

  ActionDecision(String wire) {
    this.wire = wire;
  }

  public String wire() {
    return wire;
  }

  public static Optional<ActionDecision> ofWire(String text) {
    return Arrays.stream(values()).filter(decision -> decision.wire.equals(text)).findFirst();
  }
}
