package dev.runyard.core.agentcommunication;

import java.util.Arrays;
import java.util.Optional;

/// What a client gets in response to its request.
public enum RunMode {
  /// The run, once it has ended or awaits.
  SYNC("sync"),
  /// The run in its current state.
  ASYNC("async"),
  /// The run's events, until it has ended or awaits.
  STREAM("stream");

  private final String wire;

  RunMode(String wire) {
    this.wire = wire;
  }

  static Optional<RunMode> ofWire(String text) {
    return Arrays.stream(values()).filter(mode -> mode.wire.equals(text)).findFirst();
  }
}
