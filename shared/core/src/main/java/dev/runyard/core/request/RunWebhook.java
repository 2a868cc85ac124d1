package dev.runyard.core.request;

import java.util.List;

/// Who is told of one run alone. Its text form has no secret.
///
/// @param secret what its deliveries are signed with
/// @param events names of those it wants
public record RunWebhook(String url, String secret, List<String> events) {
  private static final String MASK = "***";

  public RunWebhook {
    events = List.copyOf(events);
  }

  /// The same for those who may read the run.
  public RunWebhook masked() {
    return new RunWebhook(url, MASK, events);
  }

  @Override
  public String toString() {
    return url;
  }
}
