package dev.runyard.aws;

import dev.runyard.core.webhook.Deliveries;
import dev.runyard.core.webhook.DeliveryQueue;
import dev.runyard.core.webhook.EventBus;
import dev.runyard.core.webhook.WebhookPorts;
import dev.runyard.core.webhook.Webhooks;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/// The ports of webhooks on AWS. The queue needs its setting when it is first used.
record AwsWebhooks(
    DynamoDbClient dynamo,
    Supplier<SqsClient> sqs,
    Supplier<Optional<EventBus>> events,
    Settings settings,
    InstantSource clock)
    implements WebhookPorts {
  @Override
  public Webhooks registered() {
    return new DynamoWebhooks(dynamo, settings.viewsTable());
  }

  @Override
  public Deliveries deliveries() {
    return new DynamoDeliveries(dynamo, settings.viewsTable(), settings.retention(), clock);
  }

  @Override
  public DeliveryQueue queue() {
    return new SqsDeliveryQueue(sqs.get(), settings.webhookQueueUrl());
  }

  @Override
  public Optional<EventBus> bus() {
    return events.get();
  }
}
