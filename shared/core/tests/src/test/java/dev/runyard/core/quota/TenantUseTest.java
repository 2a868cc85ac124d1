package dev.runyard.core.quota;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// What counts against a tenant's limits, also where clocks differ.
final class TenantUseTest {
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:10Z");
  private static final Instant MINUTE_BEFORE = NOON.minusSeconds(60);
  private static final Instant MINUTE_AFTER = NOON.plusSeconds(60);
  private static final Instant DAY_BEFORE = NOON.minusSeconds(TenantUse.DAY_SECONDS);
  private static final Instant DAY_AFTER = NOON.plusSeconds(TenantUse.DAY_SECONDS);
  private static final Quota A_MINUTE = of(QuotaLimit.MINUTE_SUBMITS, 2);
  private static final Quota A_DAY = of(QuotaLimit.DAY_TOKENS, 100);

  private static Quota of(QuotaLimit limit, long value) {
    return new Quota(Map.of(limit, value));
  }

  private static TenantUse ended(TenantUse use, String run, long tokens, Instant at) {
    return use.ended(run, new TenantUses.Ended(tokens, 10 * tokens, at));
  }

  @Test
  void countsTheSubmitsOfTheNewestMinute() {
    TenantUse use = TenantUse.NONE.admitted(A_MINUTE, "a", NOON);
    assertEquals(Optional.empty(), use.refusal(A_MINUTE, "b", NOON));

    TenantUse two = use.admitted(A_MINUTE, "b", NOON);

    assertEquals(Set.of("a", "b"), two.submitted());
    assertEquals(Optional.of(QuotaLimit.MINUTE_SUBMITS), two.refusal(A_MINUTE, "c", NOON));
    assertEquals(Optional.empty(), two.refusal(A_MINUTE, "b", NOON));
    assertEquals(Optional.empty(), two.refusal(A_MINUTE, "c", MINUTE_AFTER));
    assertEquals(Set.of("c"), two.admitted(A_MINUTE, "c", MINUTE_AFTER).submitted());
  }

  @Test
  void aClockThatIsBehindCountsInTheNewestMinute() {
    TenantUse use = TenantUse.NONE.admitted(A_MINUTE, "a", NOON);

    TenantUse two = use.admitted(A_MINUTE, "b", MINUTE_BEFORE);

    assertEquals(Set.of("a", "b"), two.submitted());
    assertEquals(TenantUse.minuteOf(NOON), two.minute());
    assertEquals(Optional.of(QuotaLimit.MINUTE_SUBMITS), two.refusal(A_MINUTE, "c", MINUTE_BEFORE));
  }

  @Test
  void aRunThatIsOpenIsSubmittedAgainWithoutBeingCounted() {
    Quota both = new Quota(Map.of(QuotaLimit.MINUTE_SUBMITS, 2L, QuotaLimit.OPEN_RUNS, 1L));
    TenantUse use = TenantUse.NONE.admitted(both, "a", NOON);

    assertEquals(use, use.admitted(both, "a", MINUTE_AFTER));
    assertEquals(Optional.empty(), use.refusal(both, "a", NOON));
    assertEquals(Optional.of(QuotaLimit.OPEN_RUNS), use.refusal(both, "b", NOON));
  }

  @Test
  void addsWhatTheRunsOfADayUsed() {
    TenantUse use = TenantUse.NONE.admitted(A_DAY, "a", NOON).admitted(A_DAY, "b", NOON);

    TenantUse day = ended(ended(use, "a", 40, NOON), "b", 60, NOON);

    assertEquals(100, day.tokens());
    assertEquals(1000, day.microdollars());
    assertEquals(Set.of(), day.open());
    assertEquals(Optional.of(QuotaLimit.DAY_TOKENS), day.refusal(A_DAY, "c", NOON));
    assertEquals(Optional.empty(), day.refusal(A_DAY, "c", DAY_AFTER));
    assertEquals(
        Optional.of(QuotaLimit.DAY_COST), day.refusal(of(QuotaLimit.DAY_COST, 1000), "c", NOON));
    assertEquals(Optional.empty(), day.refusal(of(QuotaLimit.DAY_COST, 1001), "c", NOON));
  }

  @Test
  void aDayBeginsWithNothingAndARunOfTheDayBeforeCountsInTheNewest() {
    TenantUse use =
        TenantUse.NONE
            .admitted(A_DAY, "a", NOON)
            .admitted(A_DAY, "b", NOON)
            .admitted(A_DAY, "c", NOON);
    TenantUse next = ended(ended(use, "a", 40, NOON), "b", 5, DAY_AFTER);
    assertEquals(5, next.tokens());
    assertEquals(50, next.microdollars());

    TenantUse late = ended(next, "c", 7, DAY_BEFORE);

    assertEquals(12, late.tokens());
    assertEquals(TenantUse.dayOf(DAY_AFTER), late.day());
  }

  @Test
  void aRunThatIsNotOpenGivesItsPlaceBackAndAddsNothing() {
    TenantUse use = TenantUse.NONE.placed("a").placed("b");

    TenantUse left = ended(use, "a", 40, NOON);

    assertEquals(Set.of("b"), left.placed());
    assertEquals(0, left.tokens());
    assertTrue(left.hasPlace("b", 1));
    assertFalse(left.hasPlace("a", 1));
    assertTrue(left.hasPlace("a", 2));
  }

  @Test
  void countsWhatItsLimitsNeed() {
    assertFalse(Quota.NONE.countsAnything());
    assertFalse(of(QuotaLimit.TIMEOUT_SECONDS, 60).countsAnything());
    assertTrue(A_MINUTE.countsAnything());
    assertFalse(A_MINUTE.countsRuns());
    assertTrue(of(QuotaLimit.RUNNING_RUNS, 1).countsAnything());
    assertFalse(of(QuotaLimit.RUNNING_RUNS, 1).countsSubmits());
    assertTrue(A_DAY.countsAnything());
  }

  @Test
  void writesDollarsWithoutNeedlessZeros() {
    assertEquals(new BigDecimal("0.25"), Quota.dollars(250_000));
    assertEquals(new BigDecimal("3"), Quota.dollars(3_000_000));
    assertEquals(new BigDecimal("1000"), Quota.dollars(1_000_000_000));
    assertEquals(new BigDecimal("0"), Quota.dollars(0));
  }
}
