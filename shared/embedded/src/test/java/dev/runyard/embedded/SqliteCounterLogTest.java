package dev.runyard.embedded;

import dev.runyard.core.log.EventLog;
import dev.runyard.testkit.contract.CounterLogContract;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(StoreRig.Given.class)
class SqliteCounterLogTest extends CounterLogContract {
  private final StoreRig rig;

  SqliteCounterLogTest(StoreRig rig) {
    this.rig = rig;
  }

  @Override
  protected EventLog eventLog() {
    return rig.store().events();
  }
}
