package dev.runyard.core.quota;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.submit.SubmitRun;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class QuotaRepairTest extends QuotaRig {
  private static final Quota TWO = new Quota(Map.of(QuotaLimit.OPEN_RUNS, 2L));

  /// The function counted the run and died before it wrote it.
  @Test
  void takesOutARunThatWasNeverWrittenOnceItCannotBeAnyMore() {
    limit(TWO);
    RunKey run = submitted();
    RunKey never = new RunKey(TENANT, run.runId().replaceFirst(".$", "0"));
    ports.uses().admit(never, TWO, clock.instant());

    repair();
    assertEquals(2, use().open().size(), "it may still be written");
    clock.advance(Duration.ofSeconds(QuotaRepair.ABSENT_SECONDS + 1L));
    repair();

    assertEquals(Set.of(run.runId()), use().open());
  }

  /// A run that was counted after its end was told of.
  @Test
  void takesOutARunThatIsOverAndAddsWhatItUsed() {
    limit(new Quota(Map.of(QuotaLimit.OPEN_RUNS, 1L, QuotaLimit.DAY_TOKENS, 100L)));
    RunKey run = submitted();
    finish(run, 7, 0);
    runs().execute(run, new RunCommand.Advance(clock.instant()));

    repair();
    repair();

    assertEquals(Set.of(), use().open());
    assertEquals(7, use().tokens());
  }

  @Test
  void leavesRunsAloneThatAreOpen() {
    limit(new Quota(Map.of(QuotaLimit.OPEN_RUNS, 1L, QuotaLimit.RUNNING_RUNS, 1L)));
    RunKey run = submitted();
    clock.advance(Duration.ofHours(1));
    start(run);

    repair();

    assertEquals(Set.of(run.runId()), use().open());
    assertEquals(Set.of(run.runId()), use().placed());
  }

  /// However many runs are counted, all are looked at in the end, some each minute.
  @Test
  void looksAtOtherRunsEachMinute() {
    int many = 3 * QuotaRepair.CHECK_RUNS_MAX;
    limit(QuotaLimit.OPEN_RUNS, many);
    for (int i = 0; i < many; i++) {
      RunKey run = submitted();
      finish(run, 0, 0);
      runs().execute(run, new RunCommand.Advance(clock.instant()));
    }

    int before = many;
    for (int minute = 0; minute < 3; minute++) {
      repair();
      before -= QuotaRepair.CHECK_RUNS_MAX;
      assertEquals(before, use().open().size());
      limit(QuotaLimit.OPEN_RUNS, Math.max(1, before));
      clock.advance(Duration.ofMinutes(1));
    }
    assertEquals(Optional.empty(), ports.uses().admit(submitted(), TWO, clock.instant()));
  }

  /// However short its time is, each tenant has its turn: a clock that goes on while it works
  /// leaves it one or two at a time.
  @Test
  void goesOnWhereItHadToEnd() {
    Quotas one = Quotas.all(new Quota(Map.of(QuotaLimit.RUNNING_RUNS, 1L)));
    limit(QuotaLimit.RUNNING_RUNS, 1);
    List<String> tenants = List.of("a", "a-b", "b", "c", "d", "e");
    tenants.forEach(this::heldThoughAPlaceIsFree);
    InstantSource goesOn =
        () -> {
          clock.advance(Duration.ofSeconds(1));
          return clock.instant();
        };
    QuotaRepair repair = new QuotaRepair(one, ports.uses(), places(one, ports.held()), goesOn);

    assertFalse(repair.repair(clock.instant()));
    assertEquals(tenants, held(tenants), "there was no time");
    int calls = 0;
    for (int left = tenants.size(); left > 0; left = held(tenants).size()) {
      var _ = repair.repair(clock.instant().plusSeconds(3));
      assertTrue(held(tenants).size() < left, "nobody had a turn");
      calls++;
    }
    assertTrue(calls > 1, "it had time for all");
    assertTrue(repair.repair(Instant.MAX));
  }

  /// Two tenants that stay at their limit do not take all turns of processes that live for one.
  @Test
  void aNewProcessBeginsElsewhereInAnotherMinute() {
    Quotas one = Quotas.all(new Quota(Map.of(QuotaLimit.RUNNING_RUNS, 1L)));
    limit(QuotaLimit.RUNNING_RUNS, 1);
    submitted("a");
    submitted("b");
    heldThoughAPlaceIsFree("c");
    InstantSource goesOn =
        () -> {
          clock.advance(Duration.ofSeconds(1));
          return clock.instant();
        };

    for (int minute = 0; minute < 3; minute++) {
      QuotaRepair repair = new QuotaRepair(one, ports.uses(), places(one, ports.held()), goesOn);
      assertFalse(repair.repair(clock.instant().plusSeconds(3)));
      clock.advance(Duration.ofMinutes(1));
    }

    assertEquals(List.of(), held(List.of("c")));
  }

  @Test
  void hasNothingToDoWhereNothingIsCounted() {
    assertTrue(cases.quotaRepair().repair(Instant.EPOCH));
  }

  /// Nobody waits for a place of theirs, so that there is nothing to read.
  @Test
  void asksForNoTenantThatHasNothingHeld() {
    Quotas two = Quotas.all(new Quota(Map.of(QuotaLimit.RUNNING_RUNS, 2L)));
    limit(QuotaLimit.RUNNING_RUNS, 2);
    for (int i = 0; i < 50; i++) {
      submitted("tenant-" + i);
    }
    List<String> asked = new ArrayList<>();
    HeldRuns held =
        new HeldRuns() {
          @Override
          public void add(RunKey run) {
            ports.held().add(run);
          }

          @Override
          public List<RunKey> first(String tenant, int most) {
            asked.add(tenant);
            return ports.held().first(tenant, most);
          }

          @Override
          public void remove(RunKey run) {
            ports.held().remove(run);
          }

          @Override
          public Optional<String> nextTenant(String after) {
            return ports.held().nextTenant(after);
          }
        };

    assertTrue(new QuotaRepair(two, ports.uses(), places(two, held), clock).repair(Instant.MAX));

    assertEquals(List.of(), asked);
  }

  /// Whoever freed the place died before it sent the run.
  private void heldThoughAPlaceIsFree(String tenant) {
    RunKey first = submitted(tenant);
    submitted(tenant);
    ports.uses().free(first, Optional.empty());
  }

  private RunKey submitted(String tenant) {
    SubmitRun.By by = new SubmitRun.By(tenant, "somebody");
    return accepted(cases.submitRun().submit(by, request(), Optional.empty()));
  }

  private List<String> held(List<String> tenants) {
    return tenants.stream().filter(tenant -> !ports.held().first(tenant, 1).isEmpty()).toList();
  }

  private RunPlaces places(Quotas quotas, HeldRuns held) {
    RunPlaces.Counts counts = new RunPlaces.Counts(ports.uses(), held);
    return new RunPlaces(quotas, counts, runs(), ports.queue());
  }

  private void repair() {
    assertTrue(cases.quotaRepair().repair(Instant.MAX));
  }
}
