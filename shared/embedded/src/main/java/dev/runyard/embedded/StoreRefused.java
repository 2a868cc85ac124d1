package dev.runyard.embedded;

/// Thrown when a folder cannot be used as a store; the message says why, and what to do.
public final class StoreRefused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  StoreRefused(String message) {
    super(message);
  }

  StoreRefused(String message, Throwable cause) {
    super(message, cause);
  }
}
