package dev.runyard.core.request;

import java.util.List;
import java.util.Map;

/// Requests of tests for which any will do.
public final class SampleRequests {
  private SampleRequests() {}

  /// One of the agent `echo`, which is not tried again.
  public static RunRequest echo(String session) {
    return of("echo", session, 60);
  }

  /// One that is not tried again.
  public static RunRequest of(String agent, String session, int timeoutSeconds) {
    return new RunRequest(
        agent,
        "hi",
        session,
        Map.of(),
        List.of(),
        null,
        timeoutSeconds,
        Map.of(),
        Map.of(),
        RetryPolicy.NEVER);
  }
}
