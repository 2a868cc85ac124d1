package dev.runyard.local.events;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import dev.runyard.local.function.LambdaFunction;
import dev.runyard.testkit.threads.TestPatience;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/// A function that records the sequence numbers of each batch and answers as its test says.
final class RecordingFunction implements AutoCloseable {
  private final BlockingQueue<List<String>> batches = new LinkedBlockingQueue<>();
  private final ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor();
  private final LambdaFunction function;

  /// @param answer the sequence numbers to report as failed; a null answer throws
  RecordingFunction(Function<List<String>, List<String>> answer) {
    function =
        new LambdaFunction(
            "recorder",
            TestPatience.LONG,
            128,
            (event, context) -> {
              List<String> batch =
                  ((DynamodbEvent) event)
                      .getRecords().stream().map(r -> r.getDynamodb().getSequenceNumber()).toList();
              batches.add(batch);
              return response(answer.apply(batch));
            },
            calls);
  }

  LambdaFunction function() {
    return function;
  }

  /// The batches seen so far.
  List<List<String>> seen() {
    return new ArrayList<>(batches);
  }

  List<String> awaitBatch() throws InterruptedException {
    List<String> batch = batches.poll(TestPatience.LONG_SECONDS, TimeUnit.SECONDS);
    if (batch == null) {
      throw new AssertionError("no batch arrived");
    }
    return batch;
  }

  static List<String> fail() {
    throw new IllegalStateException("as told");
  }

  private static StreamsEventResponse response(List<String> failed) {
    return new StreamsEventResponse(
        failed.stream().map(StreamsEventResponse.BatchItemFailure::new).toList());
  }

  static List<String> batch(int... sequenceNumbers) {
    return Arrays.stream(sequenceNumbers).mapToObj(String::valueOf).toList();
  }

  @Override
  public void close() {
    calls.shutdownNow();
  }
}
