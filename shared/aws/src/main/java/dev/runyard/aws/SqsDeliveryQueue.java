package dev.runyard.aws;

import dev.runyard.core.webhook.DeliveryKey;
import dev.runyard.core.webhook.DeliveryQueue;
import software.amazon.awssdk.services.sqs.SqsClient;

/// The queue from which Lambda calls `deliver`, as an SQS standard queue. Its messages are grouped
/// by webhook, so that one which answers slowly holds up others less.
public final class SqsDeliveryQueue implements DeliveryQueue {
  private final SqsClient sqs;
  private final String queueUrl;

  public SqsDeliveryQueue(SqsClient sqs, String queueUrl) {
    this.sqs = sqs;
    this.queueUrl = queueUrl;
  }

  @Override
  public void send(DeliveryKey delivery, int delaySeconds) {
    if (delaySeconds < 0 || delaySeconds > DELAY_SECONDS_MAX) {
      throw new IllegalArgumentException("a delay is 0 to " + DELAY_SECONDS_MAX + " s");
    }
    ServiceCall.answer(
        "send a delivery",
        () ->
            sqs.sendMessage(
                request ->
                    request
                        .queueUrl(queueUrl)
                        .messageGroupId(delivery.webhookId())
                        .messageBody(delivery.text())
                        .delaySeconds(delaySeconds)));
  }
}
