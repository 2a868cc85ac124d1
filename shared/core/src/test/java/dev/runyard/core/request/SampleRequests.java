package dev.runyard.core.request;

import java.util.List;
import java.util.Map;

/// Requests of tests for which any will do.
public final class SampleRequests {
  private SampleRequests() {}

  /// One of the agent `echo`, which is not tried again.
  public static RunRequest echo(String session) {
    return new RunRequest(
        "echo",
        "hi",
        session,
        Map.of(),
        List.of(),
        null,
        60,
        Map.of(),
        Map.of(),
        RetryPolicy.NEVER);
  }
}
