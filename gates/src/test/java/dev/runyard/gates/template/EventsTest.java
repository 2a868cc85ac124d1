package dev.runyard.gates.template;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.amazonaws.services.lambda.runtime.events.ScheduledEvent;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import com.amazonaws.services.lambda.runtime.serialization.events.LambdaEventSerializers;
import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.EventCodec;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.ChunkBody;
import dev.runyard.core.webhook.DeliveryKey;
import dev.runyard.gates.Breach;
import dev.runyard.gates.Gate;
import dev.runyard.gates.Repository;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;

/// The sample events against the functions that would be called with them.
class EventsTest {

  @Gate
  @Breach(in = "events/sweep.json", by = "", named = "events/sweep.json")
  @Breach(in = "events/more.json", by = "{}", named = "events/more.json")
  void hasOneSampleForEachFunction(Repository repository) {
    var expected = new TreeSet<String>();
    SamTemplate.of(repository).functions().keySet().forEach(id -> expected.add(sample(id)));
    assertEquals(
        List.copyOf(expected),
        repository.files().stream().filter(file -> file.startsWith("events/")).toList());
  }

  @Gate
  @Breach(
      in = "events/api.json",
      replace = "\"resource\": \"/v1/runs\"",
      by = "\"resource\": \"/v1/gone\"",
      named = "POST /v1/gone")
  @Breach(
      in = "events/advance.json",
      replace = "\"N\": \"3\"",
      by = "\"N\": \"4\"",
      named = "AdvanceFunction")
  @Breach(
      in = "events/project.json",
      replace = "\"state\": {",
      by = "\"status\": {",
      named = "ProjectFunction")
  @Breach(in = "events/project.json", by = "{\"Records\": []}", named = "ProjectFunction")
  @Breach(
      in = "events/deliver.json",
      replace = "default wh_",
      by = "default-wh_",
      named = "DeliverFunction")
  @Breach(in = "events/sweep.json", replace = "aws.events", by = "aws.s3", named = "SweepFunction")
  @Breach(in = "events/sweep.json", by = "{}", named = "SweepFunction")
  void readsEachSampleAsWhatTheHandlerTakes(Repository repository) {
    SamTemplate.of(repository)
        .functions()
        .forEach((id, function) -> checkSample(id, repository.text(sample(id)), function));
  }

  private static void checkSample(String id, String sample, JsonNode function) {
    var loader = EventsTest.class.getClassLoader();
    var serializer = LambdaEventSerializers.serializerFor(eventType(function), loader);
    switch (serializer.fromJson(sample)) {
      case APIGatewayProxyRequestEvent call -> {
        var route = call.getHttpMethod() + " " + call.getResource();
        assertTrue(SamTemplate.routes(function).containsKey(route), route);
      }
      case DynamodbEvent changes -> {
        assertFalse(changes.getRecords().isEmpty(), id);
        changes.getRecords().forEach(it -> checkChunk(id, it.getDynamodb().getNewImage()));
      }
      case SQSEvent messages -> {
        assertFalse(messages.getRecords().isEmpty(), id);
        messages
            .getRecords()
            .forEach(it -> assertDoesNotThrow(() -> DeliveryKey.ofText(it.getBody()), id));
      }
      case ScheduledEvent tick -> assertEquals("aws.events", tick.getSource(), id);
      case Object other -> throw new AssertionError("No function takes " + other.getClass());
    }
  }

  private static void checkChunk(String id, Map<String, AttributeValue> image) {
    var run = RunKey.ofPartition(value(image, "pk").getS());
    var events =
        ChunkBody.stored(1, 1, value(image, "body").getB().array()).events(EventCodec.RUNS, run);
    assertEquals(value(image, "sk").getN(), String.valueOf(events.getFirst().sequence()), id);
    assertEquals(value(image, "last").getN(), String.valueOf(events.getLast().sequence()), id);
    assertTrue(image.containsKey("state"), id + ": the filter lets only changes of state pass");
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
      case "SQS" -> SQSEvent.class;
      case "Schedule" -> ScheduledEvent.class;
      default -> throw new AssertionError("No sample is known for " + source);
    };
  }

  private static String sample(String functionId) {
    return "events/" + functionId.replace("Function", "").toLowerCase(Locale.ROOT) + ".json";
  }
}
