package dev.runyard.bench.fairness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.quota.Quotas;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FairnessTest {
  private static final int PLACES = FairnessSection.PLACES;

  @Test
  void tenThousandRunsOfOneTenantDoNotDelayAnother() {
    int alone = new BusyTenant(Quotas.NONE, PLACES).play(0).seconds();

    BusyTenant.Waited waited =
        new BusyTenant(FairnessSection.LIMITED, PLACES).play(FairnessSection.MANY);

    assertTrue(waited.seconds() <= 2 * alone, waited + " where it waits " + alone + " s alone");
    assertEquals(36, waited.queued(), "the others are not in the queue");
  }

  @Test
  void withoutALimitTheyDo() {
    BusyTenant.Waited waited = new BusyTenant(Quotas.NONE, PLACES).play(1_000);

    assertEquals(1_000 - 3 * PLACES, waited.before(), "all that had not started in a minute");
  }

  @Test
  void allRunsStartOnceAndInTheirOrder() {
    BusyTenant backlog = new BusyTenant(FairnessSection.LIMITED, PLACES);
    backlog.play(500);

    List<RunKey> started = backlog.finish();

    assertEquals(501, started.size());
    List<RunKey> busy = started.stream().filter(run -> run.tenant().equals("busy")).toList();
    assertEquals(busy.stream().sorted(Comparator.comparing(RunKey::runId)).toList(), busy);
  }
}
