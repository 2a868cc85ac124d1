package dev.runyard.embedded;

import dev.runyard.core.log.EventLog;
import dev.runyard.testkit.contract.EventLogContract;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(StoreRig.Given.class)
class SqliteEventLogTest extends EventLogContract {
  private final StoreRig rig;

  SqliteEventLogTest(StoreRig rig) {
    this.rig = rig;
  }

  @Override
  protected EventLog eventLog() {
    return rig.store().events();
  }
}
