package dev.runyard.core.quota;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.run.RunCommand;
import java.time.Duration;
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

    cases.quotaRepair().repair();
    assertEquals(2, use().open().size(), "it may still be written");
    clock.advance(Duration.ofSeconds(QuotaRepair.ABSENT_SECONDS + 1L));
    cases.quotaRepair().repair();

    assertEquals(Set.of(run.runId()), use().open());
  }

  /// A run that was counted after its end was told of.
  @Test
  void takesOutARunThatIsOverAndAddsWhatItUsed() {
    limit(new Quota(Map.of(QuotaLimit.OPEN_RUNS, 1L, QuotaLimit.DAY_TOKENS, 100L)));
    RunKey run = submitted();
    finish(run, 7, 0);
    runs().execute(run, new RunCommand.Advance(clock.instant()));

    cases.quotaRepair().repair();
    cases.quotaRepair().repair();

    assertEquals(Set.of(), use().open());
    assertEquals(7, use().tokens());
  }

  @Test
  void leavesRunsAloneThatAreOpen() {
    limit(new Quota(Map.of(QuotaLimit.OPEN_RUNS, 1L, QuotaLimit.RUNNING_RUNS, 1L)));
    RunKey run = submitted();
    clock.advance(Duration.ofHours(1));
    start(run);

    cases.quotaRepair().repair();

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
      cases.quotaRepair().repair();
      before -= QuotaRepair.CHECK_RUNS_MAX;
      assertEquals(before, use().open().size());
      limit(QuotaLimit.OPEN_RUNS, Math.max(1, before));
      clock.advance(Duration.ofMinutes(1));
    }
    assertEquals(Optional.empty(), ports.uses().admit(submitted(), TWO, clock.instant()));
  }
}
