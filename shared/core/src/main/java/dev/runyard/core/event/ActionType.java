package dev.runyard.core.event;

import com.fasterxml.jackson.annotation.JsonProperty;

/// What kind of decision an agent needs.
public enum ActionType {
  /// May it do something? In doubt it may not: a permission nobody gives in time is refused, and
  /// the agent goes on without.
  @JsonProperty("permission")
  PERMISSION("permission", "waiting_permission"),
  /// What should it do? Nobody can guess: a question nobody answers in time ends the run.
  @JsonProperty("question")
  QUESTION("question", "waiting_input"),
  /// A message it cannot go on without; not sent in time it ends the run.
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

  /// True when the agent goes on, refused, once the time to decide is over; else the run ends.
  public boolean timeoutDenies() {
    return this == PERMISSION;
  }

  /// True when a client may decide so.
  public boolean takes(ActionDecision decision) {
    return switch (decision) {
      case APPROVE -> this == PERMISSION;
      case ANSWER -> this != PERMISSION;
      case DENY -> this != MESSAGE;
      case TIMED_OUT, CANCELLED -> false;
    };
  }
}
