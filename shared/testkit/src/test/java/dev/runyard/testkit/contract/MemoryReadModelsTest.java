package dev.runyard.testkit.contract;

import dev.runyard.core.memory.MemoryReadModels;
import dev.runyard.core.projection.ReadModels;

class MemoryReadModelsTest extends ReadModelsContract {
  @Override
  protected ReadModels readModels() {
    return new MemoryReadModels();
  }
}
