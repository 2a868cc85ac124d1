package dev.runyard.core.fleet;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Starts that fail one after another, without a successful one between them.
///
/// @param version counts the writes; 0 before the first
/// @param cause of the newest failure; null when there is no trouble
/// @param since the first failure
/// @param at the newest failure
public record StartTrouble(
    long version, StartFailure.@Nullable Cause cause, Instant since, Instant at) {
  /// Failures older than this say nothing about the present.
  static final int KNOWN_SECONDS_MAX = 2 * Slot.START_SECONDS_MAX;

  public static final StartTrouble NONE = new StartTrouble(0, null, Instant.EPOCH, Instant.EPOCH);

  boolean stands(Instant now) {
    return cause != null && Duration.between(at, now).toSeconds() < KNOWN_SECONDS_MAX;
  }

  /// False for a first failure: the start that follows it may succeed, and takes a while.
  boolean repeated() {
    return at.isAfter(since);
  }

  /// @param interrupted whether a runner started since
  StartTrouble failed(StartFailure.Cause with, boolean interrupted, Instant now) {
    return new StartTrouble(version + 1, with, stands(now) && !interrupted ? since : now, now);
  }

  StartTrouble over() {
    return new StartTrouble(version + 1, null, since, at);
  }
}
