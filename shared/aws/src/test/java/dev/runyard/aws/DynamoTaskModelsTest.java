package dev.runyard.aws;

import dev.runyard.core.task.TaskModels;
import dev.runyard.testkit.contract.TaskModelsContract;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Emulators.Given.class)
class DynamoTaskModelsTest extends TaskModelsContract {
  private final Emulators emulators;

  DynamoTaskModelsTest(Emulators emulators) {
    this.emulators = emulators;
  }

  @Override
  protected TaskModels taskModels() {
    return new DynamoTaskModels(
        emulators.dynamo(), TestTables.VIEWS, Duration.ofDays(30), InstantSource.system());
  }
}
