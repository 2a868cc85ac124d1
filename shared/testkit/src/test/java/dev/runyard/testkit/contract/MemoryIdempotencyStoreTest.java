package dev.runyard.testkit.contract;

import dev.runyard.core.memory.MemoryIdempotencyStore;
import dev.runyard.core.submit.IdempotencyStore;

class MemoryIdempotencyStoreTest extends IdempotencyStoreContract {
  @Override
  protected IdempotencyStore idempotencyStore() {
    return new MemoryIdempotencyStore();
  }
}
