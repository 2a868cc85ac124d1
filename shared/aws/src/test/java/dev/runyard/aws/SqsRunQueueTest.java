package dev.runyard.aws;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.queue.QueueMessage;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.queue.Ticket;
import dev.runyard.testkit.contract.RunQueueContract;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

@Execution(ExecutionMode.CONCURRENT)
@ExtendWith(Emulators.Given.class)
class SqsRunQueueTest extends RunQueueContract {
  /// Long enough for a slow machine to do something with a message that it has taken.
  private static final int LEASE_SECONDS = 4;

  private static final RunKey RUN = new RunKey("acme", "019c0000-0000-7000-8000-000000000001");
  private static final int PATIENT_SECONDS = 3600;
  private final Emulators emulators;
  private final String deadLetterUrl;
  private final String redrive;
  private final String url;

  SqsRunQueueTest(Emulators emulators) {
    this.emulators = emulators;
    deadLetterUrl = emulators.queue(Map.of());
    redrive =
        "{\"deadLetterTargetArn\":\"%s\",\"maxReceiveCount\":\"%d\"}"
            .formatted(arn(deadLetterUrl), RECEIVES_MAX);
    url = made(PATIENT_SECONDS);
  }

  private String made(int leaseSeconds) {
    return emulators.queue(
        Map.of(
            QueueAttributeName.VISIBILITY_TIMEOUT,
            Integer.toString(leaseSeconds),
            QueueAttributeName.REDRIVE_POLICY,
            redrive));
  }

  @Override
  protected RunQueue queue() {
    return new SqsRunQueue(emulators.sqs(), made(LEASE_SECONDS));
  }

  @Override
  protected RunQueue patient() {
    return new SqsRunQueue(emulators.sqs(), url);
  }

  @Override
  protected RunQueue deadLetters() {
    return new SqsRunQueue(emulators.sqs(), deadLetterUrl);
  }

  @Override
  protected int leaseSeconds() {
    return LEASE_SECONDS;
  }

  @Override
  protected void advance(Duration duration) {}

  @Test
  void carriesNothingButTheRun() {
    patient().send(RUN, 0);

    assertEquals(
        List.of("acme#run#019c0000-0000-7000-8000-000000000001"),
        emulators.sqs().receiveMessage(r -> r.queueUrl(url)).messages().stream()
            .map(message -> message.body())
            .toList());
  }

  /// SQS prefers groups that have few messages in flight.
  @Test
  void keepsItemsApartFromOtherRunsOfTheirTenant() {
    patient().send(QueueMessage.ofItem(RUN), 0);
    patient().send(RUN, 0);

    Set<String> groups = new HashSet<>();
    while (groups.size() < 2) {
      emulators
          .sqs()
          .receiveMessage(
              r ->
                  r.queueUrl(url)
                      .waitTimeSeconds(1)
                      .messageSystemAttributeNames(MessageSystemAttributeName.MESSAGE_GROUP_ID))
          .messages()
          .forEach(
              message ->
                  groups.add(
                      message.attributes().get(MessageSystemAttributeName.MESSAGE_GROUP_ID)));
    }
    assertEquals(Set.of("acme", "acme#last"), groups);
  }

  @Test
  void leavesAndCountsWhatIsNotAboutARun() {
    SqsRunQueue queue = new SqsRunQueue(emulators.sqs(), url);
    emulators.sqs().sendMessage(m -> m.queueUrl(url).messageBody("{\"version\":\"1.0\"}"));
    emulators.sqs().sendMessage(m -> m.queueUrl(url).messageBody("acme#run#no-run-id"));
    queue.send(RUN, 0);

    List<Ticket> tickets = queue.receive(RunQueue.RECEIVE_MAX, 1);

    assertEquals(List.of(RUN), tickets.stream().map(Ticket::run).toList());
    assertEquals(2, queue.foreignMessages());
    assertEquals(new RunQueue.Depth(0, 3), queue.depth(), "nothing is deleted");
    assertEquals(List.of(), queue.receive(RunQueue.RECEIVE_MAX, 0));
  }

  @Test
  void findsARunBehindManyMessagesThatAreNotAboutOne() {
    SqsRunQueue queue = new SqsRunQueue(emulators.sqs(), url);
    for (int i = 0; i < 2 * RunQueue.RECEIVE_MAX; i++) {
      String body = "{\"note\":" + i + "}";
      emulators.sqs().sendMessage(m -> m.queueUrl(url).messageBody(body));
    }
    queue.send(RUN, 0);

    assertEquals(
        List.of(RUN), queue.receive(RunQueue.RECEIVE_MAX, 0).stream().map(Ticket::run).toList());
  }

  @Test
  void isUnavailableWhenNobodyAnswers() {
    try (SqsClient nobody =
        emulators
            .clients(Map.of(Settings.ENDPOINT_URL_SQS, "http://127.0.0.1:1"), List.of())
            .sqs()) {
      RunQueue queue = new SqsRunQueue(nobody, "http://127.0.0.1:1/000000000000/queue");
      Ticket ticket = new Ticket(RUN, "message", "receipt", 1);

      assertThrows(PortUnavailable.class, () -> queue.send(RUN, 0));
      assertThrows(PortUnavailable.class, () -> queue.receive(1, 0));
      assertThrows(PortUnavailable.class, () -> queue.extend(ticket, 1));
      assertThrows(PortUnavailable.class, () -> queue.delete(ticket));
      assertThrows(PortUnavailable.class, queue::depth);
    }
  }

  private String arn(String queueUrl) {
    return Objects.requireNonNull(
        emulators
            .sqs()
            .getQueueAttributes(
                q -> q.queueUrl(queueUrl).attributeNames(QueueAttributeName.QUEUE_ARN))
            .attributes()
            .get(QueueAttributeName.QUEUE_ARN));
  }
}
