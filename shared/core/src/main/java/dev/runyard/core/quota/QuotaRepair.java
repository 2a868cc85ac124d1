package dev.runyard.core.quota;

import dev.runyard.core.ids.RunKey;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/// Makes good what was lost between two steps of counting: places that nobody freed or filled, and
/// runs that are counted though they are over or never were. Runs are looked at only where a limit
/// is reached, since elsewhere a wrong count does no harm, and only some at a time; and tenants
/// only where that is so or runs are held.
public final class QuotaRepair {
  /// Runs of a tenant whose logs one call reads.
  static final int CHECK_RUNS_MAX = 20;

  /// A run that is not there so long after its id was made was never written: longer than a
  /// function or a client's request lasts, and than clocks differ.
  static final int ABSENT_SECONDS = 1_200;

  private static final int PERIOD_SECONDS = 60;

  /// A prime, so that the minutes begin all over the tenants.
  private static final long SPREAD = 1_000_003;

  private final Quotas quotas;
  private final TenantUses uses;
  private final RunPlaces places;
  private final InstantSource clock;

  /// The tenant that was looked after last, so that one whose repair fails holds up no other.
  private volatile String last = "";

  public QuotaRepair(Quotas quotas, TenantUses uses, RunPlaces places, InstantSource clock) {
    this.quotas = quotas;
    this.uses = uses;
    this.places = places;
    this.clock = clock;
  }

  /// Looks after each tenant that may need it once, until the time is up, and goes on there the
  /// next time. The runs it looks at are others each minute.
  ///
  /// @return false when the time was up before all tenants had their turn
  public boolean repair(Instant until) {
    if (!quotas.countRuns()) {
      return true;
    }
    NavigableMap<String, TenantUse> all = new TreeMap<>(uses.all());
    NavigableSet<String> full = full(all);
    String begin = last.isEmpty() ? somewhere(all) : last;
    boolean again = false;
    Optional<String> tenant = next(full, begin);
    while (tenant.isPresent() || !again) {
      if (tenant.isPresent() && again && tenant.get().compareTo(begin) > 0) {
        return true;
      }
      if (!clock.instant().isBefore(until)) {
        return false;
      }
      if (tenant.isPresent()) {
        last = tenant.get();
        repair(last, all.getOrDefault(last, TenantUse.NONE));
        tenant = next(full, last);
      } else {
        again = true;
        tenant = begin.isEmpty() ? tenant : next(full, "");
      }
    }
    return true;
  }

  /// Where a new process begins, which is elsewhere in another minute.
  private String somewhere(NavigableMap<String, TenantUse> all) {
    if (all.isEmpty()) {
      return "";
    }
    return List.copyOf(all.keySet()).get((int) Math.floorMod(minute() * SPREAD, (long) all.size()));
  }

  private long minute() {
    return clock.instant().getEpochSecond() / PERIOD_SECONDS;
  }

  /// Tenants that have reached a limit.
  private NavigableSet<String> full(Map<String, TenantUse> all) {
    NavigableSet<String> full = new TreeSet<>();
    all.forEach(
        (tenant, use) -> {
          if (counted(quotas.of(tenant), use).findFirst().isPresent()) {
            full.add(tenant);
          }
        });
    return full;
  }

  private Optional<String> next(NavigableSet<String> full, String after) {
    return Stream.concat(Stream.ofNullable(full.higher(after)), places.nextHolding(after).stream())
        .min(Comparator.naturalOrder());
  }

  private void repair(String tenant, TenantUse use) {
    counted(quotas.of(tenant), use).forEach(id -> check(new RunKey(tenant, id)));
    places.fill(tenant);
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
    int from = (int) Math.floorMod(minute() * CHECK_RUNS_MAX, (long) ids.size());
    return Stream.concat(ids.subList(from, ids.size()).stream(), ids.stream())
        .limit(CHECK_RUNS_MAX);
  }
}
