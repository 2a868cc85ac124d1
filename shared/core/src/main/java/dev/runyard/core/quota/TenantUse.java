package dev.runyard.core.quota;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// What counts against a tenant's limits. Runs are counted by their ids, so that a run counts once
/// however often it is told of.
///
/// @param open runs that were submitted and have not ended
/// @param placed runs that have a place
/// @param minute of the clock, since the epoch, in which `submitted` were submitted
/// @param day since the epoch, in UTC, on which the runs ended that used the rest
public record TenantUse(
    Set<String> open,
    Set<String> placed,
    long minute,
    Set<String> submitted,
    long day,
    long tokens,
    long microdollars) {
  public static final int MINUTE_SECONDS = 60;
  public static final int DAY_SECONDS = 86_400;
  public static final TenantUse NONE = new TenantUse(Set.of(), Set.of(), 0, Set.of(), 0, 0, 0);

  public TenantUse {
    open = Set.copyOf(open);
    placed = Set.copyOf(placed);
    submitted = Set.copyOf(submitted);
  }

  public static long minuteOf(Instant now) {
    return Math.floorDiv(now.getEpochSecond(), (long) MINUTE_SECONDS);
  }

  public static long dayOf(Instant now) {
    return Math.floorDiv(now.getEpochSecond(), (long) DAY_SECONDS);
  }

  /// The limit that keeps the run from being submitted now. A run that is counted already is not
  /// kept from it.
  public Optional<QuotaLimit> refusal(Quota quota, String runId, Instant now) {
    if (open.contains(runId)) {
      return Optional.empty();
    }
    boolean today = day >= dayOf(now);
    if ((today ? tokens : 0) >= quota.most(QuotaLimit.DAY_TOKENS)) {
      return Optional.of(QuotaLimit.DAY_TOKENS);
    }
    if ((today ? microdollars : 0) >= quota.most(QuotaLimit.DAY_COST)) {
      return Optional.of(QuotaLimit.DAY_COST);
    }
    if (quota.countsOpen() && open.size() >= quota.openMost()) {
      return Optional.of(QuotaLimit.OPEN_RUNS);
    }
    int inMinute = minute >= minuteOf(now) ? submitted.size() : 0;
    boolean counted = inMinute > 0 && submitted.contains(runId);
    return counted || inMinute < quota.most(QuotaLimit.MINUTE_SUBMITS)
        ? Optional.empty()
        : Optional.of(QuotaLimit.MINUTE_SUBMITS);
  }

  /// With the run that is submitted now. A clock that is behind counts in the newest minute.
  public TenantUse admitted(Quota quota, String runId, Instant now) {
    Set<String> opened = quota.countsOpen() ? with(open, runId) : open;
    if (!quota.has(QuotaLimit.MINUTE_SUBMITS) || open.contains(runId)) {
      return new TenantUse(opened, placed, minute, submitted, day, tokens, microdollars);
    }
    Set<String> recent = minute >= minuteOf(now) ? with(submitted, runId) : Set.of(runId);
    long newest = Math.max(minute, minuteOf(now));
    return new TenantUse(opened, placed, newest, recent, day, tokens, microdollars);
  }

  /// Whether the run has one of `most` places, or finds one free.
  public boolean hasPlace(String runId, long most) {
    return placed.contains(runId) || placed.size() < most;
  }

  public TenantUse placed(String runId) {
    return new TenantUse(open, with(placed, runId), minute, submitted, day, tokens, microdollars);
  }

  public TenantUse unplaced(String runId) {
    return new TenantUse(
        open, without(placed, runId), minute, submitted, day, tokens, microdollars);
  }

  /// Without a run that is over. What it used is added if it was counted as open, so once.
  public TenantUse ended(String runId, TenantUses.Ended end) {
    TenantUse left = unplaced(runId);
    if (!open.contains(runId)) {
      return left;
    }
    boolean today = day >= dayOf(end.at());
    return new TenantUse(
        without(open, runId),
        left.placed,
        minute,
        submitted,
        Math.max(day, dayOf(end.at())),
        (today ? tokens : 0) + end.tokens(),
        (today ? microdollars : 0) + end.microdollars());
  }

  private static Set<String> with(Set<String> some, String one) {
    Set<String> all = new TreeSet<>(some);
    all.add(one);
    return all;
  }

  private static Set<String> without(Set<String> some, String one) {
    Set<String> left = new TreeSet<>(some);
    left.remove(one);
    return left;
  }
}
