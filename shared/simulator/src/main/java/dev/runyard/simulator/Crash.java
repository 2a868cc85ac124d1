package dev.runyard.simulator;

/// The actor dies here and now. An error, so that no code under test can catch it by accident.
final class Crash extends Error {
  private static final long serialVersionUID = 1L;

  Crash() {
    super("simulated crash", null, false, false);
  }
}
