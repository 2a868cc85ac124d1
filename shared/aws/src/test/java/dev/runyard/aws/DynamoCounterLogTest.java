package dev.runyard.aws;

import dev.runyard.core.log.EventLog;
import dev.runyard.testkit.contract.CounterLogContract;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Emulators.Given.class)
class DynamoCounterLogTest extends CounterLogContract {
  private final Emulators emulators;

  DynamoCounterLogTest(Emulators emulators) {
    this.emulators = emulators;
  }

  @Override
  protected EventLog eventLog() {
    return new DynamoEventLog(
        emulators.dynamo(), TestTables.EVENTS, Duration.ofDays(30), () -> Instant.EPOCH);
  }
}
