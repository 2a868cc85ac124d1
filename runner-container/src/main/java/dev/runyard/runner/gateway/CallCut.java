package dev.runyard.runner.gateway;

import java.util.Locale;

/// Why an answer is incomplete.
enum CallCut {
  /// The agent closed its connection.
  AGENT_GONE,
  /// The attempt ended.
  ATTEMPT_ENDED,
  /// With the run's other calls it had used more than a bound of the run allows.
  BOUND_REACHED,
  /// Nothing passed for too long.
  SILENT,
  /// The provider broke off.
  PROVIDER_FAILED;

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
