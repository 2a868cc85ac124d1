package dev.runyard.agent.hub;

import java.util.Locale;

/// The progress of a hub's work.
public enum HubStatus {
  IDLE,
  RUNNING,
  COMPLETE,
  ABORTED;

  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }
}
