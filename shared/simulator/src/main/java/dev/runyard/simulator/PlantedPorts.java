package dev.runyard.simulator;

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

/// The ports of the process of a name, with the defects that are its own.
record PlantedPorts(Ports ports, Defect defect, String writer) implements Ports {
  @Override
  public EventLog events() {
    return Planted.events(defect, ports.events(), writer);
  }

  @Override
  public ReadModels models() {
    return Planted.models(defect, ports.models(), writer);
  }

  @Override
  public SessionQueue turns() {
    return ports.turns();
  }

  @Override
  public IdempotencyStore keys() {
    return PlantedCallers.keys(defect, ports.keys(), writer);
  }

  @Override
  public Keys accessKeys() {
    return ports.accessKeys();
  }

  @Override
  public StreamTokens streamTokens() {
    return ports.streamTokens();
  }

  @Override
  public TenantUses uses() {
    return PlantedCallers.uses(defect, PlantedPlaces.uses(defect, ports.uses(), writer));
  }

  @Override
  public HeldRuns held() {
    return PlantedPlaces.held(defect, ports.held(), writer);
  }

  @Override
  public HookStore hooks() {
    return ports.hooks();
  }

  @Override
  public HookDeliveries hookDeliveries() {
    return ports.hookDeliveries();
  }

  @Override
  public RunQueue queue() {
    return ports.queue();
  }

  @Override
  public RunQueue deadLetters() {
    return ports.deadLetters();
  }

  @Override
  public RunQueue streamFailures() {
    return ports.streamFailures();
  }

  @Override
  public RunnerFleet fleet() {
    return ports.fleet();
  }

  @Override
  public Slots slots() {
    return ports.slots();
  }

  @Override
  public Wakeups wakeups() {
    return ports.wakeups();
  }

  @Override
  public TaskModels tasks() {
    return ports.tasks();
  }

  @Override
  public JobPorts jobs() {
    return ports.jobs();
  }

  @Override
  public WebhookPorts webhooks() {
    return PlantedCallers.webhooks(defect, ports.webhooks());
  }
}
