package dev.runyard.simulator;

/// Whose rights a caller of ports has.
enum Role {
  API,
  ADVANCE,
  PROJECT,
  SWEEP,
  DELIVER,
  RUNNER,
  /// Something that calls no ports.
  NONE
}
