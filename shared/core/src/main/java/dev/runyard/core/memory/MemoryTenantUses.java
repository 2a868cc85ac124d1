package dev.runyard.core.memory;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.quota.Quota;
import dev.runyard.core.quota.QuotaLimit;
import dev.runyard.core.quota.TenantUse;
import dev.runyard.core.quota.TenantUses;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// What tenants use, in memory.
public final class MemoryTenantUses implements TenantUses {
  private final Map<String, TenantUse> tenants = new TreeMap<>();

  @Override
  public synchronized TenantUse read(String tenant) {
    return tenants.getOrDefault(tenant, TenantUse.NONE);
  }

  @Override
  public synchronized Map<String, TenantUse> all() {
    return Map.copyOf(tenants);
  }

  @Override
  public synchronized Optional<QuotaLimit> admit(RunKey run, Quota quota, Instant now) {
    TenantUse use = read(run.tenant());
    Optional<QuotaLimit> refusal = use.refusal(quota, run.runId(), now);
    if (refusal.isEmpty()) {
      tenants.put(run.tenant(), use.admitted(quota, run.runId(), now));
    }
    return refusal;
  }

  @Override
  public synchronized boolean place(RunKey run, long most) {
    TenantUse use = read(run.tenant());
    if (!use.hasPlace(run.runId(), most)) {
      return false;
    }
    tenants.put(run.tenant(), use.placed(run.runId()));
    return true;
  }

  @Override
  public synchronized void free(RunKey run, Optional<Ended> ended) {
    tenants.computeIfPresent(
        run.tenant(),
        (_, use) ->
            ended
                .map(end -> use.ended(run.runId(), end))
                .orElseGet(() -> use.unplaced(run.runId())));
  }
}
