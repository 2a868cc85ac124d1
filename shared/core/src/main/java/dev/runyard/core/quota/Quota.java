package dev.runyard.core.quota;

import java.math.BigDecimal;
import java.util.Map;
import java.util.OptionalLong;

/// The limits of one tenant. What is not in it has no limit.
public record Quota(Map<QuotaLimit, Long> limits) {
  /// Most runs that are counted by name, so that each counts once however often it is told of. The
  /// highest value of a limit that counts runs.
  public static final int COUNTED_RUNS_MAX = 1_000;

  static final long MICRODOLLARS = 1_000_000;

  /// A value that nothing reaches.
  static final long UNLIMITED = Long.MAX_VALUE;

  public static final Quota NONE = new Quota(Map.of());

  public Quota {
    limits = Map.copyOf(limits);
  }

  /// What a tenant may have of places that tenants share, where the operator does not say: nine
  /// tenths, so that nobody has all. Nothing bounds it where there are more than can be counted.
  public static Quota share(int places) {
    int most = Math.max(1, places * 9 / 10);
    return places < 2 || most > COUNTED_RUNS_MAX
        ? NONE
        : new Quota(Map.of(QuotaLimit.RUNNING_RUNS, (long) most));
  }

  public OptionalLong limit(QuotaLimit of) {
    Long value = limits.get(of);
    return value == null ? OptionalLong.empty() : OptionalLong.of(value);
  }

  /// The limit, or [#UNLIMITED].
  public long most(QuotaLimit of) {
    return limits.getOrDefault(of, UNLIMITED);
  }

  public boolean has(QuotaLimit of) {
    return limits.containsKey(of);
  }

  /// Whether runs are counted from their submit to their end. So that what a run used is added
  /// once, it is added while the run is taken out of those counted.
  public boolean countsOpen() {
    return has(QuotaLimit.OPEN_RUNS) || has(QuotaLimit.DAY_TOKENS) || has(QuotaLimit.DAY_COST);
  }

  /// Most runs that may be open: at most as many as are counted.
  public long openMost() {
    return Math.min(most(QuotaLimit.OPEN_RUNS), COUNTED_RUNS_MAX);
  }

  /// Whether a submit is counted in any way.
  public boolean countsSubmits() {
    return countsOpen() || has(QuotaLimit.MINUTE_SUBMITS);
  }

  /// Whether anything is counted of which a run is told when it ends.
  public boolean countsRuns() {
    return countsOpen() || has(QuotaLimit.RUNNING_RUNS);
  }

  /// Whether anything is counted.
  public boolean countsAnything() {
    return countsSubmits() || countsRuns();
  }

  /// A limit as it is written.
  public BigDecimal written(QuotaLimit of) {
    long value = of == QuotaLimit.OPEN_RUNS ? openMost() : most(of);
    return of == QuotaLimit.DAY_COST ? dollars(value) : BigDecimal.valueOf(value);
  }

  public static BigDecimal dollars(long microdollars) {
    BigDecimal exact = BigDecimal.valueOf(microdollars, 6).stripTrailingZeros();
    return exact.scale() < 0 ? exact.setScale(0) : exact;
  }
}
