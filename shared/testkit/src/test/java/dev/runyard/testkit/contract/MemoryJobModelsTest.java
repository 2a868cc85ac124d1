package dev.runyard.testkit.contract;

import dev.runyard.core.job.JobModels;
import dev.runyard.core.memory.MemoryJobPorts;

class MemoryJobModelsTest extends JobModelsContract {
  @Override
  protected JobModels jobModels() {
    return new MemoryJobPorts().models();
  }
}
