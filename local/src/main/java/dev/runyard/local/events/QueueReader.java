package dev.runyard.local.events;

import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.runyard.local.function.Invocation;
import dev.runyard.local.function.LambdaFunction;
import dev.runyard.local.template.EventSource.QueueMessages;
import dev.runyard.local.template.PseudoParameters;
import dev.runyard.local.threads.StackThreads;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageRequest;

/// Passes the messages of a queue to a function, one batch at a time. Messages it handled are
/// deleted; those it reports or fails on come back when their visibility ends; those that match no
/// filter are deleted, as Lambda does.
public final class QueueReader implements AutoCloseable {
  private static final Logger LOG = System.getLogger(QueueReader.class.getName());
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int RECEIVE_MAX = 10;
  private static final int WAIT_SECONDS = 1;
  private static final Duration RETRY_BACKOFF = Duration.ofMillis(500);
  private static final Duration STOP_MAX = Duration.ofSeconds(5);

  private final SqsClient sqs;
  private final String queueUrl;
  private final String queueArn;
  private final LambdaFunction function;
  private final QueueMessages settings;
  private final List<FilterPattern> filters;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;

  /// Starts receiving.
  public QueueReader(
      SqsClient sqs,
      String queueUrl,
      String queueArn,
      LambdaFunction function,
      QueueMessages settings) {
    this.sqs = sqs;
    this.queueUrl = queueUrl;
    this.queueArn = queueArn;
    this.function = function;
    this.settings = settings;
    this.filters = settings.filters().stream().map(FilterPattern::of).toList();
    this.thread = StackThreads.start("receive-" + function.name(), this::run);
  }

  /// The ARN that records of a local queue carry.
  public static String arn(String queueName) {
    return "arn:aws:sqs:%s:%s:%s"
        .formatted(PseudoParameters.REGION, PseudoParameters.ACCOUNT, queueName);
  }

  private void run() {
    try {
      while (closed.getCount() > 0) {
        try {
          List<Message> batch = gather();
          if (!batch.isEmpty()) {
            deliver(batch);
          }
        } catch (RuntimeException e) {
          if (closed.getCount() > 0) {
            LOG.log(Level.WARNING, "cannot receive from " + queueUrl, e);
          }
          closed.await(RETRY_BACKOFF.toMillis(), TimeUnit.MILLISECONDS);
        }
      }
    } catch (InterruptedException e) {
      LOG.log(Level.DEBUG, "receiving from {0} stops", queueUrl);
    }
  }

  private List<Message> gather() {
    List<Message> batch = new ArrayList<>();
    long end = 0;
    do {
      int missing = Math.min(RECEIVE_MAX, settings.batchSize() - batch.size());
      List<Message> received = receive(missing, batch.isEmpty() ? WAIT_SECONDS : 0);
      if (batch.isEmpty() && !received.isEmpty()) {
        end = System.nanoTime() + settings.batchingWindow().toNanos();
      }
      batch.addAll(received);
      if (received.isEmpty() && (batch.isEmpty() || System.nanoTime() >= end)) {
        break;
      }
    } while (batch.size() < settings.batchSize() && closed.getCount() > 0);
    return batch;
  }

  private List<Message> receive(int most, int waitSeconds) {
    return sqs.receiveMessage(
            ReceiveMessageRequest.builder()
                .queueUrl(queueUrl)
                .maxNumberOfMessages(most)
                .waitTimeSeconds(waitSeconds)
                .messageAttributeNames("All")
                .messageSystemAttributeNames(MessageSystemAttributeName.ALL)
                .build())
        .messages();
  }

  private void deliver(List<Message> batch) {
    List<Message> taken = batch.stream().filter(this::takes).toList();
    Set<String> failed = taken.isEmpty() ? Set.of() : call(taken);
    for (Message message : batch) {
      if (!failed.contains(message.messageId())) {
        sqs.deleteMessage(
            request -> request.queueUrl(queueUrl).receiptHandle(message.receiptHandle()));
      }
    }
  }

  /// The ids of the messages that are not done.
  private Set<String> call(List<Message> batch) {
    SQSEvent event = new SQSEvent();
    event.setRecords(batch.stream().map(this::record).toList());
    Set<String> all = new HashSet<>();
    batch.forEach(message -> all.add(message.messageId()));
    return switch (function.invoke(event)) {
      case Invocation.Failed(var cause) -> all;
      case Invocation.Returned(var value) -> {
        if (!settings.partialResponses() || !(value instanceof SQSBatchResponse response)) {
          yield Set.of();
        }
        List<SQSBatchResponse.BatchItemFailure> failures = response.getBatchItemFailures();
        Set<String> failed = new HashSet<>();
        if (failures != null) {
          failures.forEach(failure -> failed.add(String.valueOf(failure.getItemIdentifier())));
        }
        yield all.containsAll(failed) ? failed : all;
      }
    };
  }

  private boolean takes(Message message) {
    if (filters.isEmpty()) {
      return true;
    }
    Map<String, Object> view = new HashMap<>();
    view.put("body", body(message.body()));
    return filters.stream().anyMatch(filter -> filter.matches(view));
  }

  private static Object body(String text) {
    try {
      JsonNode node = JSON.readTree(text);
      return node.isObject()
          ? JSON.convertValue(node, new TypeReference<Map<String, Object>>() {})
          : text;
    } catch (JsonProcessingException e) {
      return text;
    }
  }

  private SQSEvent.SQSMessage record(Message message) {
    SQSEvent.SQSMessage record = new SQSEvent.SQSMessage();
    record.setMessageId(message.messageId());
    record.setReceiptHandle(message.receiptHandle());
    record.setBody(message.body());
    record.setMd5OfBody(message.md5OfBody());
    record.setEventSource("aws:sqs");
    record.setEventSourceArn(queueArn);
    record.setAttributes(message.attributesAsStrings());
    Map<String, SQSEvent.MessageAttribute> attributes = new HashMap<>();
    message
        .messageAttributes()
        .forEach(
            (name, value) -> {
              SQSEvent.MessageAttribute attribute = new SQSEvent.MessageAttribute();
              attribute.setDataType(value.dataType());
              attribute.setStringValue(value.stringValue());
              if (value.binaryValue() != null) {
                attribute.setBinaryValue(value.binaryValue().asByteBuffer());
              }
              attributes.put(name, attribute);
            });
    record.setMessageAttributes(attributes);
    return record;
  }

  /// Ends after the batch that is being handled.
  @Override
  public void close() {
    closed.countDown();
    try {
      if (!thread.join(STOP_MAX)) {
        thread.interrupt();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
