package dev.runyard.runner.isolation;

/// The level that the operator requires cannot be given here, so nothing may start. The message
/// says why and what to do.
public final class IsolationRefused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public IsolationRefused(String message) {
    super(message);
  }
}
