package dev.runyard.core.thread;

import java.util.Objects;

/// A turn that has not ended: its name in its thread, and the run that it is.
public record QueuedTurn(String turnId, String runId) {
  public QueuedTurn {
    Objects.requireNonNull(turnId);
    Objects.requireNonNull(runId);
  }
}
