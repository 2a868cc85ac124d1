package dev.runyard.runner.change;

/// A change cannot be taken at all.
public sealed class TakingFailed extends Exception permits OwnGit.NoMemory {
  private static final long serialVersionUID = 1L;

  /// @param reason for people, as the end of a sentence; it has nothing that an agent wrote
  TakingFailed(String reason) {
    super(reason);
  }

  TakingFailed(String reason, Throwable cause) {
    super(reason, cause);
  }

  /// Why, for people.
  public String reason() {
    return String.valueOf(getMessage());
  }
}
