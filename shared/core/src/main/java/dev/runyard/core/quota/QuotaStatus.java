package dev.runyard.core.quota;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/// Tells a tenant what it may use and what it uses now.
public final class QuotaStatus {
  private final Quotas quotas;
  private final TenantUses uses;
  private final InstantSource clock;

  public QuotaStatus(Quotas quotas, TenantUses uses, InstantSource clock) {
    this.quotas = quotas;
    this.uses = uses;
    this.clock = clock;
  }

  /// What a tenant uses now; what is not counted, because no limit needs it, is empty.
  public record Now(
      Quota quota,
      Optional<Integer> minuteSubmits,
      Optional<Integer> openRuns,
      Optional<Integer> runningRuns,
      Optional<Long> dayTokens,
      Optional<Long> dayMicrodollars) {}

  public Now of(String tenant) {
    Quota quota = quotas.of(tenant);
    TenantUse use = quota.countsAnything() ? uses.read(tenant) : TenantUse.NONE;
    Instant now = clock.instant();
    boolean minute = use.minute() >= TenantUse.minuteOf(now);
    boolean day = use.day() >= TenantUse.dayOf(now);
    return new Now(
        quota,
        given(quota.has(QuotaLimit.MINUTE_SUBMITS), minute ? use.submitted().size() : 0),
        given(quota.countsOpen(), use.open().size()),
        given(quota.has(QuotaLimit.RUNNING_RUNS), use.placed().size()),
        given(quota.countsOpen(), day ? use.tokens() : 0L),
        given(quota.countsOpen(), day ? use.microdollars() : 0L));
  }

  private static <T> Optional<T> given(boolean counted, T value) {
    return counted ? Optional.of(value) : Optional.empty();
  }
}
