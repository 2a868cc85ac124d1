package dev.runyard.aws;

import dev.runyard.core.quota.TenantUses;
import dev.runyard.testkit.contract.TenantUsesContract;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Emulators.Given.class)
class DynamoTenantUsesTest extends TenantUsesContract {
  private final Emulators emulators;

  DynamoTenantUsesTest(Emulators emulators) {
    this.emulators = emulators;
  }

  @Override
  protected TenantUses tenantUses() {
    return new DynamoTenantUses(
        emulators.dynamo(), TestTables.VIEWS, Duration.ofDays(30), () -> Instant.EPOCH);
  }
}
