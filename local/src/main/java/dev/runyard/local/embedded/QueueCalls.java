package dev.runyard.local.embedded;

import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.embedded.DeliveryMessages;
import dev.runyard.embedded.DeliveryMessages.Message;
import dev.runyard.local.events.QueueReader;
import dev.runyard.local.function.Invocation;
import dev.runyard.local.function.LambdaFunction;
import dev.runyard.local.threads.StackThreads;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Calls a function for the messages of a queue of the store. Several threads take one message at a
/// time, so that a call that takes long holds up few others.
final class QueueCalls implements AutoCloseable {
  /// Calls at once.
  static final int CALLS_MAX = 4;

  private static final Logger LOG = System.getLogger(QueueCalls.class.getName());
  private static final int WAIT_SECONDS = 20;
  private static final Duration BACKOFF = Duration.ofSeconds(1);
  private static final Duration STOP_MAX = Duration.ofSeconds(5);

  private final DeliveryMessages messages;
  private final LambdaFunction function;
  private final boolean partialResponses;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final List<Thread> threads = new ArrayList<>();

  /// Starts taking messages.
  QueueCalls(DeliveryMessages messages, LambdaFunction function, boolean partialResponses) {
    this.messages = messages;
    this.function = function;
    this.partialResponses = partialResponses;
    for (int i = 0; i < CALLS_MAX; i++) {
      threads.add(StackThreads.start("call-" + function.name() + "-" + i, this::run));
    }
  }

  private void run() {
    try {
      while (closed.getCount() > 0) {
        try {
          messages.receive(1, WAIT_SECONDS).forEach(this::call);
        } catch (PortUnavailable e) {
          if (Thread.interrupted() || closed.getCount() == 0) {
            return;
          }
          LOG.log(Level.WARNING, "no message can be taken for " + function.name(), e);
          closed.await(BACKOFF.toMillis(), TimeUnit.MILLISECONDS);
        }
      }
    } catch (InterruptedException _) {
      LOG.log(Level.DEBUG, "calls of {0} end", function.name());
    }
  }

  /// A message whose call fails is there again once it is no longer hidden.
  private void call(Message message) {
    boolean handled =
        switch (function.invoke(event(message))) {
          case Invocation.Failed(var cause) -> {
            LOG.log(Level.WARNING, function.name() + " failed", cause);
            yield false;
          }
          case Invocation.Returned(SQSBatchResponse response) when partialResponses ->
              response.getBatchItemFailures() == null || response.getBatchItemFailures().isEmpty();
          case Invocation.Returned(_) -> true;
        };
    if (handled) {
      messages.delete(message);
    }
  }

  private static SQSEvent event(Message message) {
    SQSEvent.SQSMessage record = new SQSEvent.SQSMessage();
    record.setMessageId(message.id());
    record.setReceiptHandle(message.id());
    record.setBody(message.text());
    record.setEventSource("aws:sqs");
    record.setEventSourceArn(QueueReader.arn("WebhookQueue"));
    record.setAttributes(
        new HashMap<>(Map.of("ApproximateReceiveCount", Integer.toString(message.delivery()))));
    SQSEvent event = new SQSEvent();
    event.setRecords(List.of(record));
    return event;
  }

  /// Ends the waits; a call that is under way may finish.
  @Override
  public void close() {
    closed.countDown();
    threads.forEach(Thread::interrupt);
    long end = System.nanoTime() + STOP_MAX.toNanos();
    try {
      for (Thread thread : threads) {
        if (!thread.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())))) {
          LOG.log(Level.DEBUG, "{0} is still called", function.name());
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
