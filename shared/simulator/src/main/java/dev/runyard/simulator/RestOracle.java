package dev.runyard.simulator;

import dev.runyard.core.fleet.Slot;
import dev.runyard.core.quota.Quota;
import dev.runyard.core.quota.QuotaLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Asks whether anything is kept for ever from those who come later: a slot whose runner is gone,
/// or a place of a run that has ended. What counts is not always right where no limit is reached.
final class RestOracle {
  /// Until idle runners have left, and `sweep` takes what it can see nothing of for gone.
  static final Duration AFTER = Duration.ofMinutes(25);

  private RestOracle() {}

  /// What is wrong so long after the last run has ended.
  static List<Violation> check(SimulatedSystem system) {
    List<Violation> violations = new ArrayList<>();
    int stay = system.setting().fleet().min();
    for (Slot slot : system.slots().read().slots()) {
      if (slot.number() >= stay && !(slot instanceof Slot.Free)) {
        violations.add(new Violation("fleet", "a slot is never free again: " + slot));
      }
    }
    system
        .uses()
        .all()
        .forEach(
            (tenant, use) -> {
              Quota quota = system.setting().quotas().of(tenant);
              boolean full = use.placed().size() >= quota.most(QuotaLimit.RUNNING_RUNS);
              if (full || (quota.countsOpen() && use.open().size() >= quota.openMost())) {
                violations.add(
                    new Violation("places", "%s has no place any more: %s".formatted(tenant, use)));
              }
            });
    system
        .held()
        .nextTenant("")
        .ifPresent(
            tenant -> violations.add(new Violation("places", tenant + " has a run that waits")));
    return violations;
  }
}
