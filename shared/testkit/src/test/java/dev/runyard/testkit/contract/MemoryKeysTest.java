package dev.runyard.testkit.contract;

import dev.runyard.core.access.Keys;
import dev.runyard.core.memory.MemoryKeys;

class MemoryKeysTest extends KeysContract {
  private final Keys keys = new MemoryKeys();

  @Override
  protected Keys keys() {
    return keys;
  }
}
