package dev.runyard.testkit.memory;

import dev.runyard.core.projection.ReadModels;
import dev.runyard.testkit.contract.ReadModelsContract;

class MemoryReadModelsTest extends ReadModelsContract {
  @Override
  protected ReadModels readModels() {
    return new MemoryReadModels();
  }
}
