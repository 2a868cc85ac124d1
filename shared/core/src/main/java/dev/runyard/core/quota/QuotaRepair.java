package dev.runyard.core.quota;

import dev.runyard.core.ids.RunKey;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/// Makes good what was lost between two steps of counting: places that nobody freed or filled, and
/// runs that are counted though they are over or never were. Runs are looked at only where a limit
/// is reached, since elsewhere a wrong count does no harm, and only some at a time.
public final class QuotaRepair {
  /// Runs of a tenant whose logs one call reads.
  static final int CHECK_RUNS_MAX = 20;

  /// A run that is not there so long after its id was made was never written: longer than a
  /// function or a client's request lasts, and than clocks differ.
  static final int ABSENT_SECONDS = 1_200;

  private static final int PERIOD_SECONDS = 60;

  private final Quotas quotas;
  private final TenantUses uses;
  private final RunPlaces places;
  private final InstantSource clock;

  public QuotaRepair(Quotas quotas, TenantUses uses, RunPlaces places, InstantSource clock) {
    this.quotas = quotas;
    this.uses = uses;
    this.places = places;
    this.clock = clock;
  }

  /// Looks after each tenant once. The runs it looks at are others each minute.
  public void repair() {
    if (!quotas.countRuns()) {
      return;
    }
    for (Map.Entry<String, TenantUse> tenant : uses.all().entrySet()) {
      Quota quota = quotas.of(tenant.getKey());
      counted(quota, tenant.getValue()).forEach(id -> check(new RunKey(tenant.getKey(), id)));
      places.fill(tenant.getKey());
    }
  }

  private void check(RunKey run) {
    Instant now = clock.instant();
    places.check(run, run.madeAt().plusSeconds(ABSENT_SECONDS).isBefore(now));
  }

  private Stream<String> counted(Quota quota, TenantUse use) {
    Set<String> all = new TreeSet<>();
    if (quota.countsOpen() && use.open().size() >= quota.openMost()) {
      all.addAll(use.open());
    }
    if (use.placed().size() >= quota.most(QuotaLimit.RUNNING_RUNS)) {
      all.addAll(use.placed());
    }
    List<String> ids = List.copyOf(all);
    if (ids.size() <= CHECK_RUNS_MAX) {
      return ids.stream();
    }
    long minute = clock.instant().getEpochSecond() / PERIOD_SECONDS;
    int from = (int) Math.floorMod(minute * CHECK_RUNS_MAX, (long) ids.size());
    return Stream.concat(ids.subList(from, ids.size()).stream(), ids.stream())
        .limit(CHECK_RUNS_MAX);
  }
}
