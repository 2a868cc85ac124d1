package dev.runyard.embedded;

import dev.runyard.core.hook.HookStore;
import dev.runyard.testkit.contract.HookStoreContract;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(StoreRig.Given.class)
class SqliteHookStoreTest extends HookStoreContract {
  private final StoreRig rig;

  SqliteHookStoreTest(StoreRig rig) {
    this.rig = rig;
  }

  @Override
  protected HookStore hookStore() {
    return rig.store().hooks();
  }
}
