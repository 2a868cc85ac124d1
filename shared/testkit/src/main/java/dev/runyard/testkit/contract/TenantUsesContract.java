package dev.runyard.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.quota.Quota;
import dev.runyard.core.quota.QuotaLimit;
import dev.runyard.core.quota.TenantUse;
import dev.runyard.core.quota.TenantUses;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What every [TenantUses] promises.
public abstract class TenantUsesContract {
  private static final int PARALLEL = 200;
  private static final Instant NOON = SampleRuns.START;
  private static final Instant NEXT_MINUTE = NOON.plusSeconds(60);
  private static final Instant NEXT_DAY = NOON.plusSeconds(86_400);
  private static final Quota TWO_OPEN = new Quota(Map.of(QuotaLimit.OPEN_RUNS, 2L));
  private static final Quota TWO_A_MINUTE = new Quota(Map.of(QuotaLimit.MINUTE_SUBMITS, 2L));
  private static final Quota DAILY =
      new Quota(Map.of(QuotaLimit.DAY_TOKENS, 100L, QuotaLimit.DAY_COST, 5_000_000L));

  private TenantUses uses;
  private String tenant = "";

  /// The store under test; it may know other tenants.
  protected abstract TenantUses tenantUses();

  @BeforeEach
  void open() {
    uses = tenantUses();
    tenant = SampleRuns.tenant();
  }

  @Test
  void knowsNothingOfATenantAtFirst() {
    uses.free(run(), Optional.empty());
    uses.free(run(), ended(NOON, 7, 7));

    assertEquals(TenantUse.NONE, uses.read(tenant));
    assertFalse(uses.all().containsKey(tenant));
  }

  @Test
  void countsARunOnceHoweverOftenItIsTold() {
    RunKey run = run();

    for (int i = 0; i < 3; i++) {
      assertEquals(Optional.empty(), uses.admit(run, TWO_OPEN, NOON));
    }

    assertEquals(Set.of(run.runId()), uses.read(tenant).open());
    assertEquals(uses.read(tenant), uses.all().get(tenant));
  }

  @Test
  void refusesWhatIsBeyondALimitAndChangesNothing() {
    RunKey first = admitted(TWO_OPEN);
    admitted(TWO_OPEN);
    TenantUse full = uses.read(tenant);

    assertEquals(Optional.of(QuotaLimit.OPEN_RUNS), uses.admit(run(), TWO_OPEN, NOON));
    assertEquals(Optional.empty(), uses.admit(first, TWO_OPEN, NOON), "a repeat");
    assertEquals(full, uses.read(tenant));

    uses.free(first, ended(NOON, 0, 0));
    assertEquals(Optional.empty(), uses.admit(run(), TWO_OPEN, NOON));
  }

  @Test
  void allowsNothingWhereALimitIsNone() {
    Quota none = new Quota(Map.of(QuotaLimit.OPEN_RUNS, 0L));

    assertEquals(Optional.of(QuotaLimit.OPEN_RUNS), uses.admit(run(), none, NOON));
    assertFalse(uses.place(run(), 0));
  }

  @Test
  void admitsExactlyAsManyAsALimitAllowsOfManyAtOnce() throws Exception {
    Quota seventy = new Quota(Map.of(QuotaLimit.OPEN_RUNS, 90L, QuotaLimit.MINUTE_SUBMITS, 70L));
    List<RunKey> runs = IntStream.range(0, PARALLEL).mapToObj(_ -> run()).toList();

    List<Optional<QuotaLimit>> answers =
        Race.run(PARALLEL, i -> uses.admit(runs.get(i), seventy, NOON));

    assertEquals(70, answers.stream().filter(Optional::isEmpty).count());
    assertEquals(
        Set.copyOf(
            IntStream.range(0, PARALLEL)
                .filter(i -> answers.get(i).isEmpty())
                .mapToObj(i -> runs.get(i).runId())
                .toList()),
        uses.read(tenant).open());
    assertEquals(uses.read(tenant).open(), uses.read(tenant).submitted());
  }

  @Test
  void beginsEachMinuteAnew() {
    RunKey first = admitted(TWO_A_MINUTE);
    admitted(TWO_A_MINUTE);

    assertEquals(Optional.of(QuotaLimit.MINUTE_SUBMITS), uses.admit(run(), TWO_A_MINUTE, NOON));
    assertEquals(Optional.empty(), uses.admit(first, TWO_A_MINUTE, NOON), "a repeat");
    RunKey next = run();
    assertEquals(Optional.empty(), uses.admit(next, TWO_A_MINUTE, NEXT_MINUTE));
    assertEquals(Set.of(next.runId()), uses.read(tenant).submitted());
    assertEquals(Set.of(), uses.read(tenant).open(), "what no limit needs is not counted");
  }

  @Test
  void countsALateClockInTheNewestMinute() {
    RunKey early = run();
    uses.admit(early, TWO_A_MINUTE, NEXT_MINUTE);

    assertEquals(Optional.empty(), uses.admit(run(), TWO_A_MINUTE, NOON));
    assertEquals(Optional.of(QuotaLimit.MINUTE_SUBMITS), uses.admit(run(), TWO_A_MINUTE, NOON));
    assertEquals(TenantUse.minuteOf(NEXT_MINUTE), uses.read(tenant).minute());
  }

  @Test
  void addsWhatARunUsedOnce() throws Exception {
    RunKey run = admitted(DAILY);
    RunKey other = admitted(DAILY);

    Race.run(
        _ -> {
          uses.free(run, ended(NOON, 30, 1_000_000));
          return true;
        });
    uses.free(other, ended(NOON, 12, 500_000));
    uses.free(run(), ended(NOON, 1_000, 1_000));

    assertEquals(42, uses.read(tenant).tokens());
    assertEquals(1_500_000, uses.read(tenant).microdollars());
    assertEquals(Set.of(), uses.read(tenant).open());
  }

  @Test
  void refusesForTheRestOfADayThatIsUsedUp() {
    RunKey run = admitted(DAILY);
    RunKey late = admitted(DAILY);
    uses.free(run, ended(NOON, 100, 0));

    assertEquals(Optional.of(QuotaLimit.DAY_TOKENS), uses.admit(run(), DAILY, NOON));
    assertEquals(Optional.empty(), uses.admit(run(), DAILY, NEXT_DAY));
    uses.free(late, ended(NEXT_DAY, 1, 5_000_000));
    assertEquals(1, uses.read(tenant).tokens());
    assertEquals(Optional.of(QuotaLimit.DAY_COST), uses.admit(run(), DAILY, NEXT_DAY));
  }

  @Test
  void addsWhatComesLateToTheNewestDay() {
    RunKey run = admitted(DAILY);
    RunKey late = admitted(DAILY);

    uses.free(run, ended(NEXT_DAY, 1, 0));
    uses.free(late, ended(NOON, 2, 0));

    assertEquals(TenantUse.dayOf(NEXT_DAY), uses.read(tenant).day());
    assertEquals(3, uses.read(tenant).tokens());
  }

  @Test
  void givesExactlyAsManyPlacesAsThereAre() throws Exception {
    List<RunKey> runs = IntStream.range(0, PARALLEL).mapToObj(_ -> run()).toList();

    List<Boolean> placed = Race.run(PARALLEL, i -> uses.place(runs.get(i), 10));

    assertEquals(10, placed.stream().filter(Boolean::booleanValue).count());
    RunKey one = runs.get(placed.indexOf(true));
    assertTrue(uses.place(one, 10), "a place is kept");
    assertTrue(uses.place(one, 0), "also when there are fewer now");
    assertTrue(uses.place(run(), Long.MAX_VALUE), "or there is no end");
    assertEquals(11, uses.read(tenant).placed().size());
  }

  @Test
  void aPlaceIsFreedOnce() {
    RunKey run = admitted(TWO_OPEN);
    RunKey other = run();
    uses.place(run, 1);

    assertFalse(uses.place(other, 1));
    uses.free(run, Optional.empty());
    uses.free(run, Optional.empty());
    assertTrue(uses.place(other, 1));
    assertEquals(Set.of(run.runId()), uses.read(tenant).open(), "it has not ended");
    uses.place(run, 2);
    uses.free(run, ended(NOON, 0, 0));
    uses.free(other, ended(NOON, 5, 5));
    assertEquals(Set.of(), uses.read(tenant).placed());
    assertEquals(Set.of(), uses.read(tenant).open());
    assertEquals(0, uses.read(tenant).tokens(), "of a run that was not counted");
  }

  @Test
  void keepsTenantsApart() {
    uses.admit(run(), TWO_OPEN, NOON);

    assertEquals(TenantUse.NONE, uses.read(SampleRuns.tenant()));
  }

  private RunKey admitted(Quota quota) {
    RunKey run = run();
    assertEquals(Optional.empty(), uses.admit(run, quota, NOON));
    return run;
  }

  private RunKey run() {
    return SampleRuns.run(tenant);
  }

  private static Optional<TenantUses.Ended> ended(Instant at, long tokens, long microdollars) {
    return Optional.of(new TenantUses.Ended(tokens, microdollars, at));
  }
}
