package dev.runyard.testkit.contract;

import dev.runyard.core.hook.HookDeliveries;
import dev.runyard.core.memory.MemoryHookDeliveries;

class MemoryHookDeliveriesTest extends HookDeliveriesContract {
  @Override
  protected HookDeliveries hookDeliveries() {
    return new MemoryHookDeliveries();
  }
}
