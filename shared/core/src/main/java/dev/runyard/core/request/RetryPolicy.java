package dev.runyard.core.request;

import java.util.List;

/// When an agent may be started again after its attempt failed. Off by default: an agent that ran
/// may have changed something outside, so running it twice is the caller's decision.
///
/// @param maxAttempts attempts in all, 1 to [#ATTEMPTS_MAX]
/// @param on failure codes that are worth another attempt; `*` stands for every code
/// @param backoffSeconds pause before the second attempt, doubled for each later one, at most
///   [#BACKOFF_SECONDS_MAX] (the longest delay a queue message can have)
public record RetryPolicy(int maxAttempts, List<String> on, int backoffSeconds) {
  public static final int ATTEMPTS_MAX = 10;
  public static final int BACKOFF_SECONDS_MAX = 900;
  public static final RetryPolicy NEVER = new RetryPolicy(1, List.of(), 0);

  /// Stands for every failure code.
  public static final String ANY = "*";

  public RetryPolicy {
    on = List.copyOf(on);
    if (maxAttempts < 1 || maxAttempts > ATTEMPTS_MAX) {
      throw new IllegalArgumentException("max_attempts is 1 to " + ATTEMPTS_MAX);
    }
    if (backoffSeconds < 0 || backoffSeconds > BACKOFF_SECONDS_MAX) {
      throw new IllegalArgumentException("backoff_seconds is 0 to " + BACKOFF_SECONDS_MAX);
    }
  }

  public boolean allows(int attemptsSoFar, String failureCode) {
    return attemptsSoFar < maxAttempts && (on.contains(ANY) || on.contains(failureCode));
  }

  public int delaySeconds(int attemptsSoFar) {
    long delay = (long) backoffSeconds << Math.min(attemptsSoFar - 1, 20);
    return (int) Math.min(delay, BACKOFF_SECONDS_MAX);
  }
}
