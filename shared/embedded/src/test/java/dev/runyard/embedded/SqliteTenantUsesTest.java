package dev.runyard.embedded;

import dev.runyard.core.quota.TenantUses;
import dev.runyard.testkit.contract.TenantUsesContract;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(StoreRig.Given.class)
class SqliteTenantUsesTest extends TenantUsesContract {
  private final StoreRig rig;

  SqliteTenantUsesTest(StoreRig rig) {
    this.rig = rig;
  }

  @Override
  protected TenantUses tenantUses() {
    return rig.store().uses();
  }
}
