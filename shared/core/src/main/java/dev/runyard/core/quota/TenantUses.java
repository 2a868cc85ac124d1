package dev.runyard.core.quota;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.usage.Usage;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/// Counts what tenants use. Each change is one step, exact however many make it at once, and
/// harmless when it is repeated. Nothing is kept of a tenant before its first change.
///
/// A call that does not answer throws [dev.runyard.core.problem.PortUnavailable]; it may have been
/// applied.
public interface TenantUses {
  /// What a tenant uses now.
  TenantUse read(String tenant);

  /// What all tenants use that were ever counted, by tenant.
  Map<String, TenantUse> all();

  /// Counts a run that is about to be submitted, unless [TenantUse#refusal] names a limit.
  Optional<QuotaLimit> admit(RunKey run, Quota quota, Instant now);

  /// Gives the run a place unless `most` others have one. False if they do.
  boolean place(RunKey run, long most);

  /// Takes the run's place from it, and, if it has ended, takes it out of the open runs and adds
  /// what it used.
  void free(RunKey run, Optional<Ended> ended);

  /// The end of a run.
  ///
  /// @param microdollars what its calls of models cost
  record Ended(long tokens, long microdollars, Instant at) {
    public static Ended of(Usage usage, Instant at) {
      Double cost = usage.costUsd();
      return new Ended(
          usage.tokens(), cost == null ? 0 : Math.round(cost * Quota.MICRODOLLARS), at);
    }
  }
}
