package dev.runyard.gates.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.ScheduledEvent;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import com.amazonaws.services.lambda.runtime.serialization.events.LambdaEventSerializers;
import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.EventCodec;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.ChunkBody;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class EventsTest {

  private static final Path EVENTS = Path.of("..", "events");

  @Test
  void hasOneSampleForEachFunction() throws IOException {
    var samples = new TreeSet<Path>();
    try (var files = Files.list(EVENTS)) {
      files.forEach(samples::add);
    }
    var expected = new TreeSet<Path>();
    SamTemplate.read().functions().keySet().forEach(id -> expected.add(sample(id)));
    assertEquals(expected, samples);
  }

  @TestFactory
  Stream<DynamicTest> readsEachSampleAsWhatTheHandlerTakes() throws IOException {
    return SamTemplate.read().functions().entrySet().stream()
        .map(
            function ->
                DynamicTest.dynamicTest(
                    function.getKey(),
                    () -> checkSample(sample(function.getKey()), function.getValue())));
  }

  private static void checkSample(Path sample, JsonNode function) throws Exception {
    var loader = EventsTest.class.getClassLoader();
    var serializer = LambdaEventSerializers.serializerFor(eventType(function), loader);
    switch (serializer.fromJson(Files.readString(sample))) {
      case APIGatewayProxyRequestEvent call -> checkRoute(call, function);
      case DynamodbEvent changes ->
          changes.getRecords().forEach(record -> checkChunk(record.getDynamodb().getNewImage()));
      case ScheduledEvent tick -> assertEquals("aws.events", tick.getSource());
      case Object other -> throw new AssertionError("No function takes " + other.getClass());
    }
  }

  private static void checkRoute(APIGatewayProxyRequestEvent call, JsonNode function) {
    var known = false;
    for (var event : function.path("Events")) {
      var route = event.path("Properties");
      known |=
          route.path("Method").asText().equals(call.getHttpMethod())
              && route.path("Path").asText().equals(call.getResource());
    }
    assertTrue(known, call.getHttpMethod() + " " + call.getResource());
  }

  private static void checkChunk(Map<String, AttributeValue> image) {
    var run = RunKey.ofPartition(value(image, "pk").getS());
    var events =
        ChunkBody.stored(1, 1, value(image, "body").getB().array()).events(EventCodec.RUNS, run);
    assertEquals(value(image, "sk").getN(), String.valueOf(events.getFirst().sequence()));
    assertEquals(value(image, "last").getN(), String.valueOf(events.getLast().sequence()));
    assertTrue(image.containsKey("state"), "The filter lets only changes of state pass.");
  }

  private static AttributeValue value(Map<String, AttributeValue> image, String name) {
    return Objects.requireNonNull(image.get(name), name);
  }

  /// What the handler takes, by what calls it.
  static Class<?> eventType(JsonNode function) {
    var source = function.path("Events").elements().next().path("Type").asText();
    return switch (source) {
      case "Api" -> APIGatewayProxyRequestEvent.class;
      case "DynamoDB" -> DynamodbEvent.class;
      case "Schedule" -> ScheduledEvent.class;
      default -> throw new AssertionError("No sample is known for " + source);
    };
  }

  private static Path sample(String functionId) {
    return EVENTS.resolve(functionId.replace("Function", "").toLowerCase(Locale.ROOT) + ".json");
  }
}
