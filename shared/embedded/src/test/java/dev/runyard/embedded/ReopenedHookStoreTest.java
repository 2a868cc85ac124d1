package dev.runyard.embedded;

import dev.runyard.core.hook.HookStore;
import dev.runyard.testkit.contract.HookStoreContract;
import org.junit.jupiter.api.extension.ExtendWith;

/// The same promises when the store is closed and opened again before each call.
@ExtendWith(StoreRig.Given.class)
class ReopenedHookStoreTest extends HookStoreContract {
  private final StoreRig rig;

  ReopenedHookStoreTest(StoreRig rig) {
    this.rig = rig;
  }

  @Override
  protected HookStore hookStore() {
    return rig.reopening(HookStore.class, EmbeddedStore::hooks);
  }
}
