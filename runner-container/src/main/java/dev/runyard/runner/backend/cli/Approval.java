package dev.runyard.runner.backend.cli;

/// What an agent that can ask nobody may do.
public enum Approval {
  /// Look, and change nothing.
  NONE,
  /// Change files, and run no commands.
  EDITS,
  /// Whatever its tools can do.
  ALL;

  static Approval of(String name) {
    for (Approval approval : values()) {
      if (approval.name().equalsIgnoreCase(name)) {
        return approval;
      }
    }
    throw new IllegalArgumentException("not an approval");
  }
}
