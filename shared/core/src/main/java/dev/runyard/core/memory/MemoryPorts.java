package dev.runyard.core.memory;

import dev.runyard.core.application.Ports;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.wakeup.ProcessWakeups;
import java.time.InstantSource;

/// All ports of a system in memory.
public final class MemoryPorts implements Ports {
  private static final int OTHER_LEASE_SECONDS = 60;

  private final EventLog events;
  private final MemoryReadModels models = new MemoryReadModels();
  private final MemorySessionQueue turns = new MemorySessionQueue();
  private final MemoryIdempotencyStore keys = new MemoryIdempotencyStore();
  private final MemoryKeys accessKeys = new MemoryKeys();
  private final MemoryStreamTokens streamTokens = new MemoryStreamTokens();
  private final MemoryTenantUses uses = new MemoryTenantUses();
  private final MemoryHeldRuns held = new MemoryHeldRuns();
  private final MemoryHookStore hooks = new MemoryHookStore();
  private final MemoryHookDeliveries hookDeliveries = new MemoryHookDeliveries();
  private final MemoryRunQueue queue;
  private final MemoryRunQueue deadLetters;
  private final MemoryRunQueue streamFailures;
  private final MemoryRunnerFleet fleet = new MemoryRunnerFleet();
  private final MemorySlots slots = new MemorySlots();
  private final ProcessWakeups wakeups = new ProcessWakeups();
  private final MemoryWebhookPorts webhooks;
  private final MemoryJobPorts jobs = new MemoryJobPorts();
  private final MemoryTaskModels tasks = new MemoryTaskModels();

  /// @param events the log, or one that a test makes fail
  public MemoryPorts(EventLog events, InstantSource clock) {
    this.events = events;
    this.queue = new MemoryRunQueue(clock, Limits.LEASE_SECONDS);
    this.deadLetters = new MemoryRunQueue(clock, OTHER_LEASE_SECONDS);
    this.webhooks = new MemoryWebhookPorts(clock);
    this.streamFailures = new MemoryRunQueue(clock, OTHER_LEASE_SECONDS);
  }

  @Override
  public EventLog events() {
    return events;
  }

  @Override
  public MemoryReadModels models() {
    return models;
  }

  @Override
  public MemorySessionQueue turns() {
    return turns;
  }

  @Override
  public MemoryIdempotencyStore keys() {
    return keys;
  }

  @Override
  public MemoryKeys accessKeys() {
    return accessKeys;
  }

  @Override
  public MemoryStreamTokens streamTokens() {
    return streamTokens;
  }

  @Override
  public MemoryTenantUses uses() {
    return uses;
  }

  @Override
  public MemoryHeldRuns held() {
    return held;
  }

  @Override
  public MemoryHookStore hooks() {
    return hooks;
  }

  @Override
  public MemoryHookDeliveries hookDeliveries() {
    return hookDeliveries;
  }

  @Override
  public MemoryRunQueue queue() {
    return queue;
  }

  @Override
  public MemoryRunQueue deadLetters() {
    return deadLetters;
  }

  @Override
  public MemoryRunQueue streamFailures() {
    return streamFailures;
  }

  @Override
  public MemoryRunnerFleet fleet() {
    return fleet;
  }

  @Override
  public MemorySlots slots() {
    return slots;
  }

  @Override
  public ProcessWakeups wakeups() {
    return wakeups;
  }

  @Override
  public MemoryTaskModels tasks() {
    return tasks;
  }

  @Override
  public MemoryJobPorts jobs() {
    return jobs;
  }

  @Override
  public MemoryWebhookPorts webhooks() {
    return webhooks;
  }
}
