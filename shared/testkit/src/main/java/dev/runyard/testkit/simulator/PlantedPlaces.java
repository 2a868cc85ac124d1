package dev.runyard.testkit.simulator;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.quota.HeldRuns;
import dev.runyard.core.quota.Quota;
import dev.runyard.core.quota.QuotaLimit;
import dev.runyard.core.quota.TenantUse;
import dev.runyard.core.quota.TenantUses;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Defects of places, as the process of a name has them.
final class PlantedPlaces {
  private PlantedPlaces() {}

  static TenantUses uses(Defect defect, TenantUses uses) {
    return defect == Defect.PLACES_NOT_COUNTED ? new Uncounted(uses) : uses;
  }

  static HeldRuns held(Defect defect, HeldRuns held, String writer) {
    return defect == Defect.PLACE_NOT_PASSED_ON && !writer.equals(Planted.SWEEP)
        ? new Unseen(held)
        : held;
  }

  private record Uncounted(TenantUses uses) implements TenantUses {
    @Override
    public TenantUse read(String tenant) {
      return uses.read(tenant);
    }

    @Override
    public Map<String, TenantUse> all() {
      return uses.all();
    }

    @Override
    public Optional<QuotaLimit> admit(RunKey run, Quota quota, Instant now) {
      return uses.admit(run, quota, now);
    }

    @Override
    public boolean place(RunKey run, long most) {
      return uses.place(run, Long.MAX_VALUE);
    }

    @Override
    public void free(RunKey run, Optional<Ended> ended) {
      uses.free(run, ended);
    }
  }

  private record Unseen(HeldRuns held) implements HeldRuns {
    @Override
    public void add(RunKey run) {
      held.add(run);
    }

    @Override
    public List<RunKey> first(String tenant, int most) {
      return List.of();
    }

    @Override
    public void remove(RunKey run) {
      held.remove(run);
    }

    @Override
    public Optional<String> nextTenant(String after) {
      return Optional.empty();
    }
  }
}
