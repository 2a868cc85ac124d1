package dev.runyard.simulator;

import java.time.Instant;
import java.util.Set;

/// What one machine reaches: at times only some ports, or none, while other machines reach all.
final class Network {
  private Set<Port> dark = Set.of();
  private Instant until = Instant.MIN;

  void cut(Set<Port> ports, Instant end) {
    dark = ports;
    until = end;
  }

  /// Until when it is cut off.
  Instant until() {
    return until;
  }

  boolean reaches(Port port, Instant now) {
    return !now.isBefore(until) || !dark.contains(port);
  }
}
