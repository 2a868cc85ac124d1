package dev.runyard.aws;

import dev.runyard.core.view.ReadModels;
import dev.runyard.testkit.contract.ReadModelsContract;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Emulators.Given.class)
class DynamoReadModelsTest extends ReadModelsContract {
  private final Emulators emulators;

  DynamoReadModelsTest(Emulators emulators) {
    this.emulators = emulators;
  }

  @Override
  protected ReadModels readModels() {
    return new DynamoReadModels(
        emulators.dynamo(), TestTables.VIEWS, Duration.ofDays(30), () -> Instant.EPOCH);
  }
}
