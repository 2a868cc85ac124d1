package dev.runyard.simulator;

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

  static TenantUses uses(Defect defect, TenantUses uses, String writer) {
    boolean has =
        switch (defect) {
          case PLACES_NOT_COUNTED, PLACE_KEPT_AT_REST -> true;
          case COUNTS_NOT_REPAIRED -> writer.equals(Planted.SWEEP);
          case Defect _ -> false;
        };
    return has ? new PlantedUses(defect, uses) : uses;
  }

  static HeldRuns held(Defect defect, HeldRuns held, String writer) {
    boolean blind =
        switch (defect) {
          case PLACE_NOT_PASSED_ON -> !writer.equals(Planted.SWEEP);
          case COUNTS_NOT_REPAIRED -> writer.equals(Planted.SWEEP);
          case Defect _ -> false;
        };
    return blind ? new Unseen(held) : held;
  }

  private record PlantedUses(Defect defect, TenantUses uses) implements TenantUses {
    @Override
    public TenantUse read(String tenant) {
      return uses.read(tenant);
    }

    @Override
    public Map<String, TenantUse> all() {
      return defect == Defect.COUNTS_NOT_REPAIRED ? Map.of() : uses.all();
    }

    @Override
    public Optional<QuotaLimit> admit(RunKey run, Quota quota, Instant now) {
      return uses.admit(run, quota, now);
    }

    @Override
    public boolean place(RunKey run, long most) {
      return uses.place(run, defect == Defect.PLACES_NOT_COUNTED ? Long.MAX_VALUE : most);
    }

    @Override
    public void free(RunKey run, Optional<Ended> ended) {
      if (defect != Defect.PLACE_KEPT_AT_REST || ended.isPresent()) {
        uses.free(run, ended);
      }
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
