package dev.runyard.aws;

import dev.runyard.core.job.JobItems;
import dev.runyard.testkit.contract.JobItemsContract;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Emulators.Given.class)
class DynamoJobItemsTest extends JobItemsContract {
  private final Emulators emulators;

  DynamoJobItemsTest(Emulators emulators) {
    this.emulators = emulators;
  }

  @Override
  protected JobItems jobItems() {
    return new DynamoJobItems(
        emulators.dynamo(), TestTables.VIEWS, Duration.ofDays(30), InstantSource.system());
  }
}
