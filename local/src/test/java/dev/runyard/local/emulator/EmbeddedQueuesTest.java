package dev.runyard.local.emulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import dev.runyard.local.events.QueueReader;
import dev.runyard.local.function.LambdaFunction;
import dev.runyard.local.template.EventSource.QueueMessages;
import dev.runyard.local.template.QueueDeclaration;
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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

class EmbeddedQueuesTest {
  private static final List<QueueDeclaration> DECLARED =
      List.of(
          new QueueDeclaration(
              "Jobs",
              "Jobs",
              Map.of("VisibilityTimeout", "1", "MessageRetentionPeriod", "604800"),
              Optional.of(new QueueDeclaration.Redrive("Dead", 2))),
          new QueueDeclaration("Dead", "Dead", Map.of(), Optional.empty()));

  @TempDir Path folder;

  @Test
  void givesAMessageUpToTheDeadLettersAfterItsReceives() {
    try (EmbeddedQueues server = new EmbeddedQueues(Optional.empty());
        Queues queues = new Queues(server.endpoint())) {
      Map<String, String> urls = queues.create(DECLARED);
      String jobs = Objects.requireNonNull(urls.get("Jobs"));
      queues.client().sendMessage(r -> r.queueUrl(jobs).messageBody("job"));
      assertEquals("job", receive(queues, jobs).body());
      assertEquals("job", receive(queues, jobs).body());
      assertEquals(
          List.of(),
          queues.client().receiveMessage(r -> r.queueUrl(jobs).waitTimeSeconds(2)).messages());
      assertEquals("job", receive(queues, Objects.requireNonNull(urls.get("Dead"))).body());
    }
  }

  @Test
  void keepsMessagesInAFolder() {
    try (EmbeddedQueues server = new EmbeddedQueues(Optional.of(folder));
        Queues queues = new Queues(server.endpoint())) {
      String jobs = Objects.requireNonNull(queues.create(DECLARED).get("Jobs"));
      queues.client().sendMessage(r -> r.queueUrl(jobs).messageBody("kept"));
      queues.client().sendMessage(r -> r.queueUrl(jobs).messageBody("received"));
      receive(queues, jobs);
    }
    try (EmbeddedQueues server = new EmbeddedQueues(Optional.of(folder));
        Queues queues = new Queues(server.endpoint())) {
      String jobs = Objects.requireNonNull(queues.create(DECLARED).get("Jobs"));
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
      assertEquals("1", visibility);
    }
  }

  @Test
  @Timeout(10)
  void closesWhileAReceiveWaits() throws Exception {
    try (Queues queues = waitingFor20Seconds()) {
      assertThrows(
          SdkException.class,
          () -> queues.client().getQueueUrl(request -> request.queueName("Jobs")));
    }
  }

  /// The client of a server that was closed while a receive waited.
  private static Queues waitingFor20Seconds() throws InterruptedException {
    try (EmbeddedQueues server = new EmbeddedQueues(Optional.empty())) {
      Queues queues = new Queues(server.endpoint());
      String jobs = Objects.requireNonNull(queues.create(DECLARED).get("Jobs"));
      CountDownLatch asked = new CountDownLatch(1);
      Thread.ofVirtual()
          .start(
              () -> {
                asked.countDown();
                queues.client().receiveMessage(r -> r.queueUrl(jobs).waitTimeSeconds(20));
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
      String jobs = Objects.requireNonNull(queues.create(DECLARED).get("Jobs"));
      LambdaFunction function =
          new LambdaFunction(
              "reporter",
              Duration.ofSeconds(5),
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
      QueueMessages settings = new QueueMessages("Jobs", 10, Duration.ZERO, List.of(), true);
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

  private static String next(BlockingQueue<String> seen) throws InterruptedException {
    return Objects.requireNonNull(seen.poll(20, TimeUnit.SECONDS));
  }

  private static Message receive(Queues queues, String url) {
    return queues
        .client()
        .receiveMessage(r -> r.queueUrl(url).waitTimeSeconds(10).maxNumberOfMessages(1))
        .messages()
        .getFirst();
  }
}
