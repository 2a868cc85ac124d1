package dev.runyard.local.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse.BatchItemFailure;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import dev.runyard.embedded.StreamChange;
import dev.runyard.local.function.LambdaFunction;
import dev.runyard.local.threads.StackThreads;
import dev.runyard.testkit.threads.TestPatience;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ChangeEventsTest {
  private static final List<StreamChange> CHANGES =
      List.of(change(7, "default#run#a", false), change(9, "default#run#b", true));

  private final ExecutorService calls = StackThreads.each("call");
  private final List<DynamodbEvent> given = new ArrayList<>();

  @AfterEach
  void close() {
    calls.shutdownNow();
  }

  @Test
  void givesAFunctionWhatTheStreamWould() {
    assertEquals(OptionalLong.empty(), events(failing()).handle(CHANGES));
    var record = given.getFirst().getRecords().get(1).getDynamodb();
    assertEquals("9", record.getSequenceNumber());
    Map<String, AttributeValue> keys =
        Map.of("pk", new AttributeValue("default#run#b"), "sk", new AttributeValue().withN("1"));
    assertEquals(keys, record.getKeys());
    Map<String, AttributeValue> image = new HashMap<>(keys);
    image.put("state", new AttributeValue("running"));
    image.put("closed", new AttributeValue().withBOOL(true));
    assertEquals(image, record.getNewImage());
    assertEquals(Instant.EPOCH, record.getApproximateCreationDateTime().toInstant());
  }

  @Test
  void asksAgainFromTheFirstThatFailed() {
    assertEquals(OptionalLong.of(7), events(failing("9", "7")).handle(CHANGES));
    assertEquals(OptionalLong.of(9), events(failing("9")).handle(CHANGES));
  }

  @Test
  void noneIsDoneWhenTheCallFails() {
    ChangeEvents broken =
        events(
            (_, _) -> {
              throw new IllegalArgumentException("planted");
            });
    assertThrows(IllegalStateException.class, () -> broken.handle(CHANGES));
  }

  private ChangeEvents events(RequestHandler<Object, @Nullable Object> handler) {
    return new ChangeEvents(new LambdaFunction("Changes", TestPatience.LONG, 128, handler, calls));
  }

  private RequestHandler<Object, @Nullable Object> failing(String... sequenceNumbers) {
    return (Object event, Context _) -> {
      given.add((DynamodbEvent) event);
      return new StreamsEventResponse(
          List.of(sequenceNumbers).stream().map(BatchItemFailure::new).toList());
    };
  }

  private static StreamChange change(long position, String partition, boolean closed) {
    return new StreamChange(
        position, partition, 1, 1, Optional.of("running"), closed, Instant.EPOCH);
  }
}
