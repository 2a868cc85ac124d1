package dev.runyard.testkit.contract;

import dev.runyard.core.memory.MemoryTaskModels;
import dev.runyard.core.task.TaskModels;

class MemoryTaskModelsTest extends TaskModelsContract {
  @Override
  protected TaskModels taskModels() {
    return new MemoryTaskModels();
  }
}
