package dev.runyard.aws;

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
import dev.runyard.core.webhook.EventBus;
import dev.runyard.core.webhook.WebhookPorts;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/// The ports on AWS, each created when it is first used: only the ports a process uses need their
/// settings. The clients live as long as the process.
public final class AwsPorts implements Ports {
  private final Settings settings;
  private final AwsClients clients;
  private final InstantSource clock;
  private final DynamoDbClient dynamo;
  private final EventLog events;
  private @Nullable SqsClient sqs;
  private @Nullable EventBus bus;

  public AwsPorts(Settings settings, AwsClients clients, InstantSource clock) {
    this.settings = settings;
    this.clients = clients;
    this.clock = clock;
    this.dynamo = clients.dynamo();
    this.events = new DynamoEventLog(dynamo, settings.eventsTable(), settings.retention(), clock);
  }

  @Override
  public EventLog events() {
    return events;
  }

  @Override
  public ReadModels models() {
    return new DynamoReadModels(dynamo, settings.viewsTable(), settings.retention(), clock);
  }

  @Override
  public SessionQueue turns() {
    return new DynamoSessionQueue(dynamo, settings.viewsTable(), settings.retention(), clock);
  }

  @Override
  public IdempotencyStore keys() {
    return new DynamoIdempotencyStore(dynamo, settings.viewsTable());
  }

  @Override
  public Keys accessKeys() {
    return new DynamoKeys(dynamo, settings.viewsTable());
  }

  @Override
  public StreamTokens streamTokens() {
    return new DynamoStreamTokens(dynamo, settings.viewsTable());
  }

  @Override
  public TenantUses uses() {
    return new DynamoTenantUses(dynamo, settings.viewsTable(), settings.retention(), clock);
  }

  @Override
  public HeldRuns held() {
    return new DynamoHeldRuns(dynamo, settings.viewsTable(), settings.retention(), clock);
  }

  @Override
  public HookStore hooks() {
    return new DynamoHookStore(dynamo, settings.viewsTable());
  }

  @Override
  public HookDeliveries hookDeliveries() {
    return new DynamoHookDeliveries(dynamo, settings.viewsTable());
  }

  @Override
  public RunQueue queue() {
    return new SqsRunQueue(sqs(), settings.runQueueUrl());
  }

  @Override
  public RunQueue deadLetters() {
    return new SqsRunQueue(sqs(), settings.deadLetterQueueUrl());
  }

  @Override
  public RunQueue streamFailures() {
    return new SqsRunQueue(sqs(), settings.streamFailureQueueUrl());
  }

  @Override
  public RunnerFleet fleet() {
    return new EcsRunnerFleet(clients.ecs(), EcsRunnerFleet.Placement.of(settings));
  }

  @Override
  public Slots slots() {
    return new DynamoSlots(dynamo, settings.viewsTable());
  }

  @Override
  public Wakeups wakeups() {
    return new DynamoWakeups(dynamo, settings.viewsTable(), clock);
  }

  @Override
  public TaskModels tasks() {
    return new DynamoTaskModels(dynamo, settings.viewsTable(), settings.retention(), clock);
  }

  @Override
  public JobPorts jobs() {
    return new DynamoJobs(dynamo, settings.viewsTable(), settings.retention(), clock);
  }

  @Override
  public WebhookPorts webhooks() {
    return new AwsWebhooks(dynamo, this::sqs, this::bus, settings, clock);
  }

  private synchronized Optional<EventBus> bus() {
    if (bus == null) {
      bus = settings.eventBus().map(clients::eventBus).orElse(null);
    }
    return Optional.ofNullable(bus);
  }

  private synchronized SqsClient sqs() {
    SqsClient made = sqs;
    if (made == null) {
      made = clients.sqs();
      sqs = made;
    }
    return made;
  }
}
