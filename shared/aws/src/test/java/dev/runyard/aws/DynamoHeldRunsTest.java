package dev.runyard.aws;

import dev.runyard.core.quota.HeldRuns;
import dev.runyard.testkit.contract.HeldRunsContract;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Emulators.Given.class)
class DynamoHeldRunsTest extends HeldRunsContract {
  private final Emulators emulators;

  DynamoHeldRunsTest(Emulators emulators) {
    this.emulators = emulators;
  }

  @Override
  protected HeldRuns heldRuns() {
    return new DynamoHeldRuns(
        emulators.dynamo(), TestTables.VIEWS, Duration.ofDays(30), () -> Instant.EPOCH);
  }
}
