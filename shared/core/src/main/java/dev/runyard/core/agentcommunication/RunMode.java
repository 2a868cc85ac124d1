package dev.runyard.core.agentcommunication;

import java.util.Arrays;
import java.util.Optional;

/// How a client wants to be told what becomes of its run.
public enum RunMode {
  /// The answer is the run once it has ended or awaits.
  SYNC("sync"),
  /// The answer is the run as it is now.
  ASYNC("async"),
  /// The answer is the run's events, until it has ended or awaits.
  STREAM("stream");

  private final String wire;

  RunMode(String wire) {
    this.wire = wire;
  }

  static Optional<RunMode> ofWire(String text) {
    return Arrays.stream(values()).filter(mode -> mode.wire.equals(text)).findFirst();
  }
}
