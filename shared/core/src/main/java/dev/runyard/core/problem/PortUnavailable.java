package dev.runyard.core.problem;

/// Thrown when a port could not be reached or did not answer: the call may or may not have been
/// applied.
public sealed class PortUnavailable extends RuntimeException permits LogAhead {
  private static final long serialVersionUID = 1L;

  public PortUnavailable(String message, Throwable cause) {
    super(message, cause);
  }

  public PortUnavailable(String message) {
    super(message);
  }
}
