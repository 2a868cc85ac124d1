package dev.runyard.testkit.contract;

import dev.runyard.core.wakeup.ProcessWakeups;
import dev.runyard.core.wakeup.Wakeups;

class ProcessWakeupsTest extends WakeupsContract {
  private final Wakeups wakeups = new ProcessWakeups();

  @Override
  protected Wakeups wakeups() {
    return wakeups;
  }
}
