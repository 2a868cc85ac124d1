package dev.runyard.aws;

import dev.runyard.core.session.SessionQueue;
import dev.runyard.testkit.contract.SessionQueueContract;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Emulators.Given.class)
class DynamoSessionQueueTest extends SessionQueueContract {
  private final Emulators emulators;

  DynamoSessionQueueTest(Emulators emulators) {
    this.emulators = emulators;
  }

  @Override
  protected SessionQueue sessionQueue() {
    return new DynamoSessionQueue(
        emulators.dynamo(), TestTables.VIEWS, Duration.ofDays(30), () -> Instant.EPOCH);
  }
}
