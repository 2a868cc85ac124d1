package dev.runyard.local.emulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import dev.runyard.local.events.QueueReader;
import dev.runyard.local.function.LambdaFunction;
import dev.runyard.local.template.EventSource.QueueMessages;
import dev.runyard.local.template.QueueDeclaration;
import dev.runyard.testkit.threads.TestPatience;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

class EmbeddedQueuesTest {
  /// Long enough for who received a message to delete it.
  private static final String VISIBILITY_SECONDS = "4";

  /// For messages that nobody deletes, whose return is waited for.
  private static final String SHORT_SECONDS = "1";

  @TempDir Path folder;

  @Test
  void givesAMessageUpToTheDeadLettersAfterItsReceives() {
    try (EmbeddedQueues server = new EmbeddedQueues(Optional.empty());
        Queues queues = new Queues(server.endpoint())) {
      Map<String, String> urls = queues.create(declared(SHORT_SECONDS));
      String jobs = Objects.requireNonNull(urls.get("Jobs"));
      queues.client().sendMessage(r -> r.queueUrl(jobs).messageBody("job"));
      assertEquals("job", receive(queues, jobs).body());
      assertEquals("job", receive(queues, jobs).body());
      List<Message> dead = List.of();
      while (dead.isEmpty()) {
        assertEquals(List.of(), received(queues, jobs, 1), "it is received no third time");
        dead = received(queues, Objects.requireNonNull(urls.get("Dead")), 1);
      }
      assertEquals("job", dead.getFirst().body());
    }
  }

  @Test
  void keepsMessagesInAFolder() {
    try (EmbeddedQueues server = new EmbeddedQueues(Optional.of(folder));
        Queues queues = new Queues(server.endpoint())) {
      String jobs = Objects.requireNonNull(queues.create(declared(SHORT_SECONDS)).get("Jobs"));
      queues.client().sendMessage(r -> r.queueUrl(jobs).messageBody("kept"));
      queues.client().sendMessage(r -> r.queueUrl(jobs).messageBody("received"));
      receive(queues, jobs);
    }
    try (EmbeddedQueues server = new EmbeddedQueues(Optional.of(folder));
        Queues queues = new Queues(server.endpoint())) {
      String jobs = Objects.requireNonNull(queues.create(declared(SHORT_SECONDS)).get("Jobs"));
      assertEquals(
          Set.of("kept", "received"),
          Stream.generate(() -> receive(queues, jobs).body()).limit(2).collect(Collectors.toSet()));
      String visibility =
          queues
              .client()
              .getQueueAttributes(
                  r -> r.queueUrl(jobs).attributeNames(QueueAttributeName.VISIBILITY_TIMEOUT))
              .attributes()
              .get(QueueAttributeName.VISIBILITY_TIMEOUT);
      assertEquals(SHORT_SECONDS, visibility);
    }
  }

  @Test
  void closesWhileAReceiveWaits() throws Exception {
    AtomicBoolean waitedToTheEnd = new AtomicBoolean();
    try (Queues queues = closedWhileAReceiveWaits(waitedToTheEnd)) {
      assertFalse(waitedToTheEnd.get());
      assertThrows(
          SdkException.class,
          () -> queues.client().getQueueUrl(request -> request.queueName("Jobs")));
    }
  }

  /// The client of a server that was closed while a receive waited.
  ///
  /// @param waitedToTheEnd becomes true if the receive lasts as long as it may
  private static Queues closedWhileAReceiveWaits(AtomicBoolean waitedToTheEnd)
      throws InterruptedException {
    try (EmbeddedQueues server = new EmbeddedQueues(Optional.empty())) {
      Queues queues = new Queues(server.endpoint());
      String jobs = Objects.requireNonNull(queues.create(declared(VISIBILITY_SECONDS)).get("Jobs"));
      CountDownLatch asked = new CountDownLatch(1);
      Thread.ofVirtual()
          .start(
              () -> {
                asked.countDown();
                waitedToTheEnd.set(received(queues, jobs, 20).isEmpty());
              });
      asked.await();
      for (int i = 0; i < 20; i++) {
        queues.client().getQueueUrl(request -> request.queueName("Jobs"));
      }
      return queues;
    }
  }

  @Test
  void bringsBackOnlyTheMessagesAFunctionReports() throws InterruptedException {
    BlockingQueue<String> seen = new LinkedBlockingQueue<>();
    Set<String> failedOnce = new HashSet<>();
    try (EmbeddedQueues server = new EmbeddedQueues(Optional.empty());
        Queues queues = new Queues(server.endpoint());
        ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor()) {
      String jobs = Objects.requireNonNull(queues.create(declared(VISIBILITY_SECONDS)).get("Jobs"));
      LambdaFunction function =
          new LambdaFunction(
              "reporter",
              TestPatience.LONG,
              128,
              (event, context) -> {
                List<SQSBatchResponse.BatchItemFailure> failures =
                    ((SQSEvent) event)
                        .getRecords().stream()
                            .peek(record -> seen.add(record.getBody()))
                            .filter(record -> record.getBody().equals("bad"))
                            .filter(record -> failedOnce.add(record.getBody()))
                            .map(r -> new SQSBatchResponse.BatchItemFailure(r.getMessageId()))
                            .toList();
                return new SQSBatchResponse(failures);
              },
              calls);
      queues.client().sendMessage(r -> r.queueUrl(jobs).messageBody("good"));
      queues.client().sendMessage(r -> r.queueUrl(jobs).messageBody("bad"));
      QueueMessages settings = new QueueMessages("Jobs", 2, Duration.ZERO, List.of(), true);
      try (var _ =
          new QueueReader(queues.client(), jobs, QueueReader.arn("Jobs"), function, settings)) {
        Set<String> first = new HashSet<>();
        first.add(next(seen));
        first.add(next(seen));
        assertEquals(Set.of("good", "bad"), first);
        assertEquals("bad", next(seen));
      }
      assertTrue(seen.isEmpty());
    }
  }

  /// @param visibilitySeconds how long a message that was received is hidden
  private static List<QueueDeclaration> declared(String visibilitySeconds) {
    return List.of(
        new QueueDeclaration(
            "Jobs",
            "Jobs",
            Map.of("VisibilityTimeout", visibilitySeconds, "MessageRetentionPeriod", "604800"),
            Optional.of(new QueueDeclaration.Redrive("Dead", 2))),
        new QueueDeclaration("Dead", "Dead", Map.of(), Optional.empty()));
  }

  private static String next(BlockingQueue<String> seen) throws InterruptedException {
    return Objects.requireNonNull(seen.poll(TestPatience.LONG_SECONDS, TimeUnit.SECONDS));
  }

  /// The next message, which must come.
  private static Message receive(Queues queues, String url) {
    List<Message> received = List.of();
    while (received.isEmpty()) {
      received = received(queues, url, 10);
    }
    return received.getFirst();
  }

  private static List<Message> received(Queues queues, String url, int waitSeconds) {
    return queues
        .client()
        .receiveMessage(r -> r.queueUrl(url).waitTimeSeconds(waitSeconds).maxNumberOfMessages(1))
        .messages();
  }
}
