package dev.runyard.runner.backend.cli;

/// What a non-interactive agent may do.
public enum Approval {
  /// Read, and change nothing.
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
