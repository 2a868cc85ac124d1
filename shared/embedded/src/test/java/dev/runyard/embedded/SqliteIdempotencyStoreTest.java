package dev.runyard.embedded;

import dev.runyard.core.submit.IdempotencyStore;
import dev.runyard.testkit.contract.IdempotencyStoreContract;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(StoreRig.Given.class)
class SqliteIdempotencyStoreTest extends IdempotencyStoreContract {
  private final StoreRig rig;

  SqliteIdempotencyStoreTest(StoreRig rig) {
    this.rig = rig;
  }

  @Override
  protected IdempotencyStore idempotencyStore() {
    return rig.store().keys();
  }
}
