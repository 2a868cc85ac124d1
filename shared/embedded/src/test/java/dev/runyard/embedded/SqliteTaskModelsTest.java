package dev.runyard.embedded;

import dev.runyard.core.task.TaskModels;
import dev.runyard.testkit.contract.TaskModelsContract;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(StoreRig.Given.class)
class SqliteTaskModelsTest extends TaskModelsContract {
  private final StoreRig rig;

  SqliteTaskModelsTest(StoreRig rig) {
    this.rig = rig;
  }

  @Override
  protected TaskModels taskModels() {
    return rig.store().tasks();
  }
}
