package dev.runyard.aws;

import dev.runyard.core.submit.IdempotencyStore;
import dev.runyard.testkit.contract.IdempotencyStoreContract;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Emulators.Given.class)
class DynamoIdempotencyStoreTest extends IdempotencyStoreContract {
  private final Emulators emulators;

  DynamoIdempotencyStoreTest(Emulators emulators) {
    this.emulators = emulators;
  }

  @Override
  protected IdempotencyStore idempotencyStore() {
    return new DynamoIdempotencyStore(emulators.dynamo(), TestTables.VIEWS);
  }
}
