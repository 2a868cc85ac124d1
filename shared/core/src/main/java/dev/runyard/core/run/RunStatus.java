package dev.runyard.core.run;

/// The states clients of every protocol see, spelled as the Agent Communication Protocol spells
/// them.
public enum RunStatus {
  CREATED("created"),
  IN_PROGRESS("in-progress"),
  AWAITING("awaiting"),
  CANCELLING("cancelling"),
  COMPLETED("completed"),
  FAILED("failed"),
  CANCELLED("cancelled");

  private final String wire;

  RunStatus(String wire) {
    this.wire = wire;
  }

  public String wire() {
    return wire;
  }
}
