package dev.runyard.core.event;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Arrays;
import java.util.List;

/// What kind of decision an agent needs.
public enum ActionType {
  /// May it do something? If nobody grants a permission in time, it is refused, and the agent
  /// continues without it.
  @JsonProperty("permission")
  PERMISSION("permission", "waiting_permission"),
  /// What should it do? There is no safe default: a question that nobody answers in time ends the
  /// run.
  @JsonProperty("question")
  QUESTION("question", "waiting_input"),
  /// A message it cannot continue without; if it is not sent in time, the run ends.
  @JsonProperty("message")
  MESSAGE("message", "waiting_input");

  private final String wire;
  private final String phase;

  ActionType(String wire, String phase) {
    this.wire = wire;
    this.phase = phase;
  }

  public String wire() {
    return wire;
  }

  /// The phase of a run that waits for it.
  public String phase() {
    return phase;
  }

  /// True when the action is refused and the agent continues once the time to decide is over;
  /// otherwise the run ends.
  public boolean timeoutDenies() {
    return this == PERMISSION;
  }

  /// How a client may decide the action.
  public List<ActionDecision> decisions() {
    return Arrays.stream(ActionDecision.values()).filter(this::takes).toList();
  }

  /// True when a client may decide the action this way.
  public boolean takes(ActionDecision decision) {
    return switch (decision) {
      case APPROVE -> this == PERMISSION;
      case ANSWER -> this != PERMISSION;
      case DENY -> this != MESSAGE;
      case TIMED_OUT, CANCELLED -> false;
    };
  }
}
