package dev.runyard.aws;

import dev.runyard.core.session.SessionTurns;
import dev.runyard.testkit.contract.SessionTurnsContract;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Emulators.Given.class)
class DynamoSessionTurnsTest extends SessionTurnsContract {
  private final Emulators emulators;

  DynamoSessionTurnsTest(Emulators emulators) {
    this.emulators = emulators;
  }

  @Override
  protected SessionTurns sessionTurns() {
    return new DynamoSessionTurns(
        emulators.dynamo(), TestTables.VIEWS, Duration.ofDays(30), () -> Instant.EPOCH);
  }
}
