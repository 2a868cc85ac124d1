package dev.runyard.core.quota;

import dev.runyard.core.limits.Limits;
import dev.runyard.core.request.RetryPolicy;

/// A limit that a tenant may have, by the name it has in the operator's document and in answers.
public enum QuotaLimit {
  /// Runs submitted in one minute of the clock.
  MINUTE_SUBMITS("minute_submits_max", 0, Quota.COUNTED_RUNS_MAX),
  /// Runs that have not ended.
  OPEN_RUNS("open_runs_max", 0, Quota.COUNTED_RUNS_MAX),
  /// Runs that have a place: those at runners and on the way there. Others wait.
  RUNNING_RUNS("running_runs_max", 0, Quota.COUNTED_RUNS_MAX),
  /// `timeout_seconds` of a request.
  TIMEOUT_SECONDS("timeout_seconds_max", 1, Limits.RUN_SECONDS_MAX),
  /// `retry.max_attempts` of a request.
  ATTEMPTS("attempts_max", 1, RetryPolicy.ATTEMPTS_MAX),
  /// Tokens of the runs that ended on one day in UTC.
  DAY_TOKENS("day_tokens_max", 0, Limits.TOKENS_MAX),
  /// What these runs cost; in millionths of a dollar, but in dollars where it is written.
  DAY_COST("day_cost_usd_max", 0, Limits.COST_USD_MAX * Quota.MICRODOLLARS),
  /// Bytes of files that runs left in thirty days.
  KEPT_BYTES("kept_bytes_max", 0, Long.MAX_VALUE - 1),
  /// Uploads that runs may name.
  UPLOADS("uploads_max", 0, Limits.UPLOADS_LISTED_MAX);

  private final String wire;
  private final long least;
  private final long most;

  QuotaLimit(String wire, long least, long most) {
    this.wire = wire;
    this.least = least;
    this.most = most;
  }

  public String wire() {
    return wire;
  }

  /// The lowest value the operator may set.
  long least() {
    return least;
  }

  /// The highest value the operator may set.
  long most() {
    return most;
  }
}
