package dev.runyard.core.event;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.thread.ThreadEvent;
import dev.runyard.needs.NeedsStandards;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// Stored events against the schema that the standard publishes. [EnvelopeTest] has our own rules.
@NeedsStandards
final class EventSchemaTest {
  @Test
  void namesOnlyTypesOfTheStandard() {
    JsonNode schema = schema();
    Set<String> standard = new TreeSet<>();
    schema.at("/properties/type/enum").forEach(name -> standard.add(name.textValue()));
    Set<String> invented = new TreeSet<>(EventTypes.names());
    invented.add(ThreadEvent.STARTED);
    invented.add(ThreadEvent.QUEUE_CHANGED);
    invented.add(ThreadEvent.ROLLBACK_STARTED);
    invented.add(ThreadEvent.ROLLBACK_COMPLETED);
    invented.add(ThreadEvent.RECONSTRUCTED);
    invented.removeAll(standard);

    assertEquals(Set.of(), invented);
  }

  @Test
  void storesWhatTheSchemaOfTheStandardAllows() {
    JsonNode schema = schema();
    List<String> faults = new ArrayList<>();
    for (StoredEvent event : EnvelopeTest.stored()) {
      JsonNode json = EnvelopeTest.json(event);
      for (JsonNode name : schema.get("required")) {
        if (!json.hasNonNull(name.textValue())) {
          faults.add(event.type() + " lacks " + name.textValue());
        }
      }
      json.properties()
          .forEach(
              member -> {
                JsonNode rule = schema.get("properties").path(member.getKey());
                if (!allowed(rule, member.getValue())) {
                  faults.add(event.type() + " has a wrong " + member.getKey());
                }
              });
    }

    assertEquals(List.of(), faults);
  }

  private static boolean allowed(JsonNode rule, JsonNode value) {
    return switch (rule.path("type").asText("any")) {
      case "string" ->
          value.isTextual()
              && value.textValue().length() >= rule.path("minLength").asInt(0)
              && (!rule.has("enum") || contains(rule.get("enum"), value));
      case "integer" ->
          value.isIntegralNumber()
              && value.longValue() >= rule.path("minimum").asLong(Long.MIN_VALUE);
      case "object" -> value.isObject();
      case String _ -> true;
    };
  }

  private static boolean contains(JsonNode values, JsonNode value) {
    for (JsonNode one : values) {
      if (one.equals(value)) {
        return true;
      }
    }
    return false;
  }

  private static JsonNode schema() {
    return StandardVectors.read("agent-runtime/agentruntime-event.schema.json");
  }
}
