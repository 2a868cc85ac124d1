package dev.runyard.aws;

import dev.runyard.core.job.JobModels;
import dev.runyard.testkit.contract.JobModelsContract;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Emulators.Given.class)
class DynamoJobModelsTest extends JobModelsContract {
  private final Emulators emulators;

  DynamoJobModelsTest(Emulators emulators) {
    this.emulators = emulators;
  }

  @Override
  protected JobModels jobModels() {
    return new DynamoJobModels(
        emulators.dynamo(), TestTables.VIEWS, Duration.ofDays(30), InstantSource.system());
  }
}
