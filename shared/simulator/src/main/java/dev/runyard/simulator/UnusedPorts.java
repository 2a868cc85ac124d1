package dev.runyard.simulator;

import dev.runyard.core.access.Keys;
import dev.runyard.core.access.StreamTokens;
import dev.runyard.core.application.Ports;
import dev.runyard.core.hook.HookDeliveries;
import dev.runyard.core.hook.HookStore;
import dev.runyard.core.job.JobPorts;
import dev.runyard.core.memory.MemoryHookDeliveries;
import dev.runyard.core.memory.MemoryHookStore;
import dev.runyard.core.memory.MemoryJobPorts;
import dev.runyard.core.memory.MemoryKeys;
import dev.runyard.core.memory.MemoryStreamTokens;
import dev.runyard.core.memory.MemoryTaskModels;
import dev.runyard.core.task.TaskModels;

/// The ports that few histories use: where there are no [OtherSystems], clients need not show who
/// they are, and nobody sends webhooks.
abstract class UnusedPorts implements Ports {
  private final Keys accessKeys = new MemoryKeys();
  private final StreamTokens streamTokens = new MemoryStreamTokens();
  private final JobPorts jobs = new MemoryJobPorts();
  private final TaskModels tasks = new MemoryTaskModels();
  private final HookStore hooks = new MemoryHookStore();
  private final HookDeliveries hookDeliveries = new MemoryHookDeliveries();

  @Override
  public Keys accessKeys() {
    return accessKeys;
  }

  @Override
  public StreamTokens streamTokens() {
    return streamTokens;
  }

  @Override
  public TaskModels tasks() {
    return tasks;
  }

  @Override
  public JobPorts jobs() {
    return jobs;
  }

  @Override
  public HookStore hooks() {
    return hooks;
  }

  @Override
  public HookDeliveries hookDeliveries() {
    return hookDeliveries;
  }
}
