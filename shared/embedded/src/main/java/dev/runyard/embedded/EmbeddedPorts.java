package dev.runyard.embedded;

import dev.runyard.core.access.Keys;
import dev.runyard.core.access.StreamTokens;
import dev.runyard.core.application.Ports;
import dev.runyard.core.fleet.RunnerFleet;
import dev.runyard.core.fleet.Slots;
import dev.runyard.core.hook.HookDeliveries;
import dev.runyard.core.hook.HookStore;
import dev.runyard.core.job.JobPorts;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.projection.ReadModels;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.quota.HeldRuns;
import dev.runyard.core.quota.TenantUses;
import dev.runyard.core.session.SessionQueue;
import dev.runyard.core.submit.IdempotencyStore;
import dev.runyard.core.task.TaskModels;
import dev.runyard.core.wakeup.Wakeups;
import dev.runyard.core.webhook.WebhookPorts;

/// The ports of a process that has a store: what is kept is in the store, runners are started by
/// `fleet`.
public record EmbeddedPorts(EmbeddedStore store, RunnerFleet fleet) implements Ports {
  @Override
  public EventLog events() {
    return store.events();
  }

  @Override
  public ReadModels models() {
    return store.models();
  }

  @Override
  public SessionQueue turns() {
    return store.turns();
  }

  @Override
  public IdempotencyStore keys() {
    return store.keys();
  }

  @Override
  public Keys accessKeys() {
    return store.accessKeys();
  }

  @Override
  public StreamTokens streamTokens() {
    return store.streamTokens();
  }

  @Override
  public TenantUses uses() {
    return store.uses();
  }

  @Override
  public HeldRuns held() {
    return store.held();
  }

  @Override
  public HookStore hooks() {
    return store.hooks();
  }

  @Override
  public HookDeliveries hookDeliveries() {
    return store.hookDeliveries();
  }

  @Override
  public RunQueue queue() {
    return store.queue();
  }

  @Override
  public RunQueue deadLetters() {
    return store.deadLetters();
  }

  @Override
  public RunQueue streamFailures() {
    return store.streamFailures();
  }

  @Override
  public Slots slots() {
    return store.slots();
  }

  @Override
  public Wakeups wakeups() {
    return store.wakeups();
  }

  @Override
  public TaskModels tasks() {
    return store.tasks();
  }

  @Override
  public JobPorts jobs() {
    return store.jobs();
  }

  @Override
  public WebhookPorts webhooks() {
    return store.webhooks();
  }
}
