package dev.runyard.core.fleet;

/// What whoever starts runners tells the operator.
@FunctionalInterface
public interface FleetLog {
  /// A runner did not start.
  void failed(StartFailure failure);

  /// The runs need more runners than there may be.
  default void full(int wanted, int max) {}
}
