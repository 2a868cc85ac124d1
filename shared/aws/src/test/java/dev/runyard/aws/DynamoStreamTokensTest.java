package dev.runyard.aws;

import dev.runyard.core.access.StreamTokens;
import dev.runyard.testkit.contract.StreamTokensContract;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Emulators.Given.class)
class DynamoStreamTokensTest extends StreamTokensContract {
  private final Emulators emulators;

  DynamoStreamTokensTest(Emulators emulators) {
    this.emulators = emulators;
  }

  @Override
  protected StreamTokens tokens() {
    return new DynamoStreamTokens(emulators.dynamo(), TestTables.VIEWS);
  }
}
