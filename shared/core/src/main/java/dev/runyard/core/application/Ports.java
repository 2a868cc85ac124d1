package dev.runyard.core.application;

import dev.runyard.core.access.Keys;
import dev.runyard.core.access.StreamTokens;
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

/// The ports of a process. A use case gets only the ports it needs, so a process need not have them
/// all.
public interface Ports {
  EventLog events();

  ReadModels models();

  SessionQueue turns();

  IdempotencyStore keys();

  /// The keys that callers show.
  Keys accessKeys();

  /// The stream tokens that pages show.
  StreamTokens streamTokens();

  /// What tenants use of what they may.
  TenantUses uses();

  /// Runs that wait for a place of their tenant.
  HeldRuns held();

  /// Webhooks of other systems that become runs.
  HookStore hooks();

  /// What became of what they delivered.
  HookDeliveries hookDeliveries();

  /// Runs that wait for a runner.
  RunQueue queue();

  /// Runs whose message no runner could finish.
  RunQueue deadLetters();

  /// Runs whose stream record could not be handled.
  RunQueue streamFailures();

  RunnerFleet fleet();

  /// Places of the runners.
  Slots slots();

  /// Wake-ups of the runners.
  Wakeups wakeups();

  /// What is stored of jobs.
  JobPorts jobs();

  /// Snapshots of tasks.
  TaskModels tasks();

  /// Webhooks and their deliveries.
  WebhookPorts webhooks();
}
