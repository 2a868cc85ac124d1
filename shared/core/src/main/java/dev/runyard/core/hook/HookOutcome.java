package dev.runyard.core.hook;

import java.util.Arrays;
import java.util.Optional;

/// What became of a delivery.
public enum HookOutcome {
  /// It started a run.
  STARTED("started"),
  /// The run had been started by the same delivery before.
  REPEATED("repeated"),
  /// The hook does not want it.
  IGNORED("ignored"),
  /// It was to start a run, but what it maps to is no valid request.
  REFUSED("refused"),
  /// Its sender tries the address and got the answer it wants.
  CONFIRMED("confirmed"),
  /// It does not prove that it comes from its sender.
  UNPROVEN("unproven"),
  /// Its proof could not be checked, or nothing was free to start a run; the sender is told to
  /// repeat it.
  UNAVAILABLE("unavailable");

  private final String wire;

  HookOutcome(String wire) {
    this.wire = wire;
  }

  public String wire() {
    return wire;
  }

  /// True for what a hook's sender alone can cause.
  boolean proven() {
    return this != UNPROVEN && this != UNAVAILABLE;
  }

  static Optional<HookOutcome> of(String wire) {
    return Arrays.stream(values()).filter(one -> one.wire.equals(wire)).findFirst();
  }
}
