package dev.runyard.core.access;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/// What a caller may do. Each route needs one scope, or none if anybody may call it.
public enum Scope {
  RUNS_READ("runs:read"),
  RUNS_WRITE("runs:write"),
  ACTIONS_DECIDE("actions:decide"),
  AGENTS_READ("agents:read"),
  WEBHOOKS_MANAGE("webhooks:manage"),
  KEYS_MANAGE("keys:manage");

  private final String wire;

  Scope(String wire) {
    this.wire = wire;
  }

  /// The name in keys, tokens and answers.
  public String wire() {
    return wire;
  }

  /// All names, for people.
  public static String names() {
    return Arrays.stream(values()).map(Scope::wire).collect(Collectors.joining(", "));
  }

  public static Optional<Scope> of(String wire) {
    return Arrays.stream(values()).filter(scope -> scope.wire.equals(wire)).findFirst();
  }
}
