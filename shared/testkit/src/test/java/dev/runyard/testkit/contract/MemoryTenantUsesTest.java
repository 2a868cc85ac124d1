package dev.runyard.testkit.contract;

import dev.runyard.core.memory.MemoryTenantUses;
import dev.runyard.core.quota.TenantUses;

class MemoryTenantUsesTest extends TenantUsesContract {
  @Override
  protected TenantUses tenantUses() {
    return new MemoryTenantUses();
  }
}
