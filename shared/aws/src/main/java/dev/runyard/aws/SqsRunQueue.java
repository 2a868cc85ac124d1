package dev.runyard.aws;

import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.queue.QueueLimits;
import dev.runyard.core.queue.QueueMessage;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.queue.Ticket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageNotInflightException;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.ReceiptHandleIsInvalidException;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageRequest;
import software.amazon.awssdk.services.sqs.model.SqsException;

/// The run queue as an SQS standard queue, whose message groups are tenants, so that SQS prefers
/// those that have few messages in flight. What may come last has a group of its tenant's own for
/// the same reason. A message's body is the text of a [QueueMessage] and nothing else. A message
/// with another body can never be handled here: it is counted and left, for the dead-letter queue
/// and the operator, since nobody knows what it is evidence of.
public final class SqsRunQueue implements RunQueue {
  /// Longest wait SQS allows a receive.
  public static final int WAIT_SECONDS_MAX = 20;

  /// Ends the group of what may come last. No tenant's name has it.
  private static final String LAST = "#last";

  /// Most batches that one receive takes while there is nothing but foreign messages.
  private static final int FOREIGN_BATCHES_MAX = 10;

  /// SQS's error code, besides its own exception types, for a receipt that is no longer valid.
  private static final String INVALID_VALUE = "InvalidParameterValue";

  /// Codes of a message that could not be hidden because its receiver has lost it.
  private static final Set<String> LOST =
      Set.of(
          INVALID_VALUE,
          "MessageNotInflight",
          "AWS.SimpleQueueService.MessageNotInflight",
          "ReceiptHandleIsInvalid");

  private final SqsClient sqs;
  private final SqsClient receives;
  private final String queueUrl;
  private final AtomicLong foreign = new AtomicLong();

  /// A queue whose receives do not wait.
  public SqsRunQueue(SqsClient sqs, String queueUrl) {
    this(sqs, sqs, queueUrl);
  }

  /// @param receives a client whose calls may take as long as a receive waits
  public SqsRunQueue(SqsClient sqs, SqsClient receives, String queueUrl) {
    this.sqs = sqs;
    this.receives = receives;
    this.queueUrl = queueUrl;
  }

  @Override
  public void send(QueueMessage message, int delaySeconds) {
    if (delaySeconds < 0 || delaySeconds > DELAY_SECONDS_MAX) {
      throw new IllegalArgumentException("a delay is 0 to " + DELAY_SECONDS_MAX + " s");
    }
    ServiceCall.answer(
        "send",
        () ->
            sqs.sendMessage(
                request ->
                    request
                        .queueUrl(queueUrl)
                        .messageBody(message.text())
                        .messageGroupId(group(message))
                        .delaySeconds(delaySeconds)));
  }

  private static String group(QueueMessage message) {
    return message.last() ? message.run().tenant() + LAST : message.run().tenant();
  }

  @Override
  public List<Ticket> receive(int max, int waitSeconds) {
    QueueLimits.checkReceive(max);
    ReceiveMessageRequest request =
        ReceiveMessageRequest.builder()
            .queueUrl(queueUrl)
            .maxNumberOfMessages(max)
            .waitTimeSeconds(Math.clamp(waitSeconds, 0, WAIT_SECONDS_MAX))
            .messageSystemAttributeNames(MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT)
            .build();
    List<Ticket> tickets = new ArrayList<>();
    for (int batch = 0; batch < FOREIGN_BATCHES_MAX; batch++) {
      List<Message> messages =
          ServiceCall.answer("receive", () -> receives.receiveMessage(request)).messages();
      for (Message message : messages) {
        ticket(message).ifPresentOrElse(tickets::add, foreign::incrementAndGet);
      }
      if (messages.isEmpty() || !tickets.isEmpty()) {
        break;
      }
    }
    return tickets;
  }

  @Override
  public List<Ticket> extend(List<Ticket> tickets, int seconds) {
    QueueLimits.checkTogether(tickets);
    List<ChangeMessageVisibilityBatchRequestEntry> entries =
        IntStream.range(0, tickets.size())
            .mapToObj(
                i ->
                    ChangeMessageVisibilityBatchRequestEntry.builder()
                        .id(Integer.toString(i))
                        .receiptHandle(tickets.get(i).receipt())
                        .visibilityTimeout(seconds)
                        .build())
            .toList();
    List<BatchResultErrorEntry> failed =
        ServiceCall.answer(
                "extend",
                () ->
                    sqs.changeMessageVisibilityBatch(
                        change -> change.queueUrl(queueUrl).entries(entries)))
            .failed();
    for (BatchResultErrorEntry entry : failed) {
      if (!LOST.contains(entry.code())) {
        throw new PortUnavailable("extend: %s %s".formatted(entry.code(), entry.message()));
      }
    }
    return failed.stream().map(entry -> tickets.get(Integer.parseInt(entry.id()))).toList();
  }

  @Override
  public void delete(Ticket ticket) {
    delete(ticket.receipt());
  }

  @Override
  public Depth depth() {
    var attributes =
        ServiceCall.answer(
                "depth",
                () ->
                    sqs.getQueueAttributes(
                        asked ->
                            asked
                                .queueUrl(queueUrl)
                                .attributeNames(
                                    QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES,
                                    QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE)))
            .attributes();
    return new Depth(
        Integer.parseInt(
            attributes.getOrDefault(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES, "0")),
        Integer.parseInt(
            attributes.getOrDefault(
                QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE, "0")));
  }

  /// Messages received so far that were not about a run.
  public long foreignMessages() {
    return foreign.get();
  }

  private static Optional<Ticket> ticket(Message message) {
    try {
      QueueMessage said = QueueMessage.ofText(message.body());
      return Optional.of(
          new Ticket(
              said.run(),
              message.messageId(),
              message.receiptHandle(),
              Integer.parseInt(
                  message
                      .attributes()
                      .getOrDefault(MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT, "1")),
              said.sighting()));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  private void delete(String receipt) {
    withReceipt(
        "delete", () -> sqs.deleteMessage(gone -> gone.queueUrl(queueUrl).receiptHandle(receipt)));
  }

  private static boolean withReceipt(String name, Runnable call) {
    return ServiceCall.answer(
        name,
        () -> {
          try {
            call.run();
            return true;
          } catch (MessageNotInflightException | ReceiptHandleIsInvalidException unknown) {
            return false;
          } catch (SqsException e) {
            if (ServiceCall.code(e).equals(INVALID_VALUE)) {
              return false;
            }
            throw e;
          }
        });
  }
}
