package dev.runyard.embedded;

import dev.runyard.core.submit.IdempotencyStore;
import dev.runyard.testkit.contract.IdempotencyStoreContract;
import org.junit.jupiter.api.extension.ExtendWith;

/// The same promises when the store is closed and opened again before each call.
@ExtendWith(StoreRig.Given.class)
class ReopenedIdempotencyStoreTest extends IdempotencyStoreContract {
  private final StoreRig rig;

  ReopenedIdempotencyStoreTest(StoreRig rig) {
    this.rig = rig;
  }

  @Override
  protected IdempotencyStore idempotencyStore() {
    return rig.reopening(IdempotencyStore.class, EmbeddedStore::keys);
  }
}
