package dev.runyard.embedded;

import dev.runyard.core.log.EventLog;
import dev.runyard.testkit.contract.EventLogContract;
import org.junit.jupiter.api.extension.ExtendWith;

/// The same promises when the store is closed and opened again before each call.
@ExtendWith(StoreRig.Given.class)
class ReopenedEventLogTest extends EventLogContract {
  private final StoreRig rig;

  ReopenedEventLogTest(StoreRig rig) {
    this.rig = rig;
  }

  @Override
  protected EventLog eventLog() {
    return rig.reopening(EventLog.class, EmbeddedStore::events);
  }
}
