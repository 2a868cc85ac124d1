package dev.runyard.embedded;

import dev.runyard.core.task.TaskModels;
import dev.runyard.testkit.contract.TaskModelsContract;
import org.junit.jupiter.api.extension.ExtendWith;

/// The same promises when the store is closed and opened again before each call.
@ExtendWith(StoreRig.Given.class)
class ReopenedTaskModelsTest extends TaskModelsContract {
  private final StoreRig rig;

  ReopenedTaskModelsTest(StoreRig rig) {
    this.rig = rig;
  }

  @Override
  protected TaskModels taskModels() {
    return rig.reopening(TaskModels.class, store -> store.tasks());
  }
}
