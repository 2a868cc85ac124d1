package dev.runyard.agent;

import java.time.Instant;
import java.util.Objects;

/// A message sent to a running agent.
///
/// @param timestamp when it was accepted
public record InjectedMessage(String content, Instant timestamp) {
  public InjectedMessage {
    Objects.requireNonNull(content);
    Objects.requireNonNull(timestamp);
  }
}
