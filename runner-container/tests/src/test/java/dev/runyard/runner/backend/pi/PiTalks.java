package dev.runyard.runner.backend.pi;

import dev.runyard.runner.backend.InteractiveProtocol;

/// Conversations of pi without a process.
public final class PiTalks {
  private PiTalks() {}

  public static InteractiveProtocol fresh() {
    return new PiConversation(new PiStream("a/", null), "do it");
  }
}
