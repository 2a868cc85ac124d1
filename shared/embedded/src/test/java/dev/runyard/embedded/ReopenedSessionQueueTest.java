package dev.runyard.embedded;

import dev.runyard.core.session.SessionQueue;
import dev.runyard.testkit.contract.SessionQueueContract;
import org.junit.jupiter.api.extension.ExtendWith;

/// The same promises when the store is closed and opened again before each call.
@ExtendWith(StoreRig.Given.class)
class ReopenedSessionQueueTest extends SessionQueueContract {
  private final StoreRig rig;

  ReopenedSessionQueueTest(StoreRig rig) {
    this.rig = rig;
  }

  @Override
  protected SessionQueue sessionQueue() {
    return rig.reopening(SessionQueue.class, EmbeddedStore::turns);
  }
}
