package dev.runyard.embedded;

import dev.runyard.core.session.SessionQueue;
import dev.runyard.testkit.contract.SessionQueueContract;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(StoreRig.Given.class)
class SqliteSessionQueueTest extends SessionQueueContract {
  private final StoreRig rig;

  SqliteSessionQueueTest(StoreRig rig) {
    this.rig = rig;
  }

  @Override
  protected SessionQueue sessionQueue() {
    return rig.store().turns();
  }
}
