package dev.runyard.testkit.contract;

import dev.runyard.core.hook.HookStore;
import dev.runyard.core.memory.MemoryHookStore;

class MemoryHookStoreTest extends HookStoreContract {
  @Override
  protected HookStore hookStore() {
    return new MemoryHookStore();
  }
}
