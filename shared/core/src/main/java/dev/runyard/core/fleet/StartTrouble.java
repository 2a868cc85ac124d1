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
/// @param brokenSince since when each failure had a cause that only the operator can remove; null
///   where the newest had not
public record StartTrouble(
    long version,
    StartFailure.@Nullable Cause cause,
    Instant since,
    Instant at,
    @Nullable Instant brokenSince) {
  /// Failures older than this say nothing about the present.
  static final int KNOWN_SECONDS_MAX = 2 * Slot.START_SECONDS_MAX;

  public static final StartTrouble NONE = new StartTrouble(0, null, Instant.EPOCH, Instant.EPOCH);

  /// Trouble of which it is not known that only the operator can remove it.
  public StartTrouble(long version, StartFailure.@Nullable Cause cause, Instant since, Instant at) {
    this(version, cause, since, at, null);
  }

  boolean stands(Instant now) {
    return cause != null && Duration.between(at, now).toSeconds() < KNOWN_SECONDS_MAX;
  }

  /// The same, but null after a first such failure: the start that follows it may succeed, and
  /// takes a while.
  @Nullable Instant repeatedlyBrokenSince() {
    return brokenSince != null && at.isAfter(brokenSince) ? brokenSince : null;
  }

  /// @param interrupted whether a runner started since
  StartTrouble failed(StartFailure.Cause with, boolean interrupted, Instant now) {
    boolean goesOn = stands(now) && !interrupted;
    Instant broken = goesOn && brokenSince != null ? brokenSince : now;
    return new StartTrouble(
        version + 1, with, goesOn ? since : now, now, with.broken() ? broken : null);
  }

  StartTrouble over() {
    return new StartTrouble(version + 1, null, since, at);
  }
}
