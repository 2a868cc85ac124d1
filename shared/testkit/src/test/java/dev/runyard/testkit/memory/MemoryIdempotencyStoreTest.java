package dev.runyard.testkit.memory;

import dev.runyard.core.submit.IdempotencyStore;
import dev.runyard.testkit.contract.IdempotencyStoreContract;

class MemoryIdempotencyStoreTest extends IdempotencyStoreContract {
  @Override
  protected IdempotencyStore idempotencyStore() {
    return new MemoryIdempotencyStore();
  }
}
