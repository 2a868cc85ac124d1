package dev.runyard.agent.hub;

import java.util.Locale;

/// How far the work of a hub is.
public enum HubStatus {
  IDLE,
  RUNNING,
  COMPLETE,
  ABORTED;

  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }
}
