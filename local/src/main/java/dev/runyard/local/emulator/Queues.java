package dev.runyard.local.emulator;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.local.template.QueueDeclaration;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueDoesNotExistException;

/// The stack's queues, on the SQS at the given address.
public final class Queues implements AutoCloseable {
  private final URI endpoint;
  private final SqsClient sqs;

  /// Connects on first use.
  public Queues(URI endpoint) {
    this.endpoint = endpoint;
    this.sqs = EmulatorClients.queues(endpoint);
  }

  public URI endpoint() {
    return endpoint;
  }

  public SqsClient client() {
    return sqs;
  }

  /// Creates or updates the queues, and returns their addresses by logical id. Dead-letter queues
  /// come first, because the others name them.
  public Map<String, String> create(List<QueueDeclaration> queues) {
    Map<String, String> urls = new HashMap<>();
    queues.stream()
        .filter(queue -> queue.redrive().isEmpty())
        .forEach(queue -> urls.put(queue.logicalId(), create(queue, Map.of())));
    queues.stream()
        .filter(queue -> queue.redrive().isPresent())
        .forEach(queue -> urls.put(queue.logicalId(), create(queue, redrive(queue, urls))));
    return Map.copyOf(urls);
  }

  private Map<String, String> redrive(QueueDeclaration queue, Map<String, String> urls) {
    return queue
        .redrive()
        .map(
            redrive ->
                JsonNodeFactory.instance
                    .objectNode()
                    .put(
                        "deadLetterTargetArn",
                        arn(Objects.requireNonNull(urls.get(redrive.deadLetters()))))
                    .put("maxReceiveCount", redrive.receivesMax())
                    .toString())
        .map(policy -> Map.of("RedrivePolicy", policy))
        .orElseGet(Map::of);
  }

  private String create(QueueDeclaration queue, Map<String, String> more) {
    Map<String, String> attributes = new HashMap<>(queue.attributes());
    attributes.putAll(more);
    try {
      String url = sqs.getQueueUrl(request -> request.queueName(queue.name())).queueUrl();
      update(url, attributes);
      return url;
    } catch (QueueDoesNotExistException e) {
      return sqs.createQueue(
              request -> request.queueName(queue.name()).attributesWithStrings(attributes))
          .queueUrl();
    }
  }

  /// An existing queue gets the template's current attributes.
  private void update(String url, Map<String, String> attributes) {
    Map<String, String> changeable = new HashMap<>(attributes);
    changeable.remove("FifoQueue");
    if (!changeable.isEmpty()) {
      sqs.setQueueAttributes(request -> request.queueUrl(url).attributesWithStrings(changeable));
    }
  }

  private String arn(String url) {
    return Objects.requireNonNull(
        sqs.getQueueAttributes(
                request -> request.queueUrl(url).attributeNames(QueueAttributeName.QUEUE_ARN))
            .attributes()
            .get(QueueAttributeName.QUEUE_ARN));
  }

  @Override
  public void close() {
    sqs.close();
  }
}
