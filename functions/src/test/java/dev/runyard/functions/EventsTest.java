package dev.runyard.functions;

import static dev.runyard.functions.SamTemplate.map;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.ScheduledEvent;
import com.amazonaws.services.lambda.runtime.serialization.events.LambdaEventSerializers;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class EventsTest {

  private static final Path EVENTS = Path.of("..", "events");

  @Test
  void hasOneSampleForEachFunction() throws IOException {
    var samples = new TreeSet<String>();
    try (var files = Files.list(EVENTS)) {
      files.forEach(file -> samples.add(file.getFileName().toString()));
    }
    var functions =
        SamTemplate.read().functions().keySet().stream()
            .map(id -> sample(id))
            .collect(Collectors.toSet());
    assertEquals(functions, samples);
  }

  @TestFactory
  Stream<DynamicTest> readsEachSampleAsWhatTheHandlerTakes() throws IOException {
    var template = SamTemplate.read();
    return template.functions().entrySet().stream()
        .map(
            function ->
                DynamicTest.dynamicTest(
                    sample(function.getKey()),
                    () -> checkSample(template, function.getKey(), function.getValue())));
  }

  private static void checkSample(SamTemplate template, String id, Map<String, Object> function)
      throws IOException, ClassNotFoundException {
    var text = Files.readString(EVENTS.resolve(sample(id)));
    var loader = EventsTest.class.getClassLoader();
    var event =
        LambdaEventSerializers.serializerFor(eventType(function), loader).fromJson(text);
    switch (event) {
      case APIGatewayProxyRequestEvent call ->
          assertTrue(
              routes(function).contains(call.getHttpMethod() + " " + call.getResource()),
              call.getResource());
      case DynamodbEvent changes ->
          changes
              .getRecords()
              .forEach(
                  record -> {
                    assertEquals(Set.of("pk", "sk"), record.getDynamodb().getKeys().keySet());
                    assertTrue(record.getDynamodb().getNewImage().containsKey("state"));
                  });
      case ScheduledEvent tick -> assertEquals("aws.events", tick.getSource());
      default -> throw new AssertionError("No function takes " + event.getClass());
    }
  }

  private static Class<?> eventType(Map<String, Object> function) throws ClassNotFoundException {
    var handler = (String) function.get("Handler");
    if (handler.equals("run.sh")) {
      return APIGatewayProxyRequestEvent.class;
    }
    for (var type : Class.forName(handler).getGenericInterfaces()) {
      if (type instanceof ParameterizedType typed && typed.getRawType() == RequestHandler.class) {
        return (Class<?>) typed.getActualTypeArguments()[0];
      }
    }
    throw new AssertionError(handler + " is no RequestHandler");
  }

  private static Set<String> routes(Map<String, Object> function) {
    return map(function.get("Events")).values().stream()
        .map(event -> map(map(event).get("Properties")))
        .map(route -> route.get("Method") + " " + route.get("Path"))
        .collect(Collectors.toSet());
  }

  private static String sample(String functionId) {
    return functionId.replace("Function", "").toLowerCase(java.util.Locale.ROOT) + ".json";
  }
}
