package dev.runyard.aws;

import dev.runyard.core.wakeup.Wakeups;
import dev.runyard.testkit.contract.WakeupsContract;
import java.time.InstantSource;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Emulators.Given.class)
class DynamoWakeupsTest extends WakeupsContract {
  private final Wakeups wakeups;

  DynamoWakeupsTest(Emulators emulators) {
    wakeups = new DynamoWakeups(emulators.dynamo(), TestTables.VIEWS, InstantSource.system());
  }

  @Override
  protected Wakeups wakeups() {
    return wakeups;
  }
}
