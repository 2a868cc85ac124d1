package dev.runyard.core.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.json.JsonFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The envelope of every stored event, whatever its type.
final class EnvelopeTest {
  private static final RunKey RUN = new RunKey("acme", "019c0000-0000-7000-8000-000000000001");
  private static final Instant AT = Instant.parse("2026-03-01T12:00:00.120Z");

  private static final Map<String, Class<?>> REPEATED =
      Map.of(
          "toolCallId", InEnvelope.ToolCallId.class,
          "outputRef", InEnvelope.OutputRef.class,
          "processId", InEnvelope.ProcessId.class,
          "actionId", InEnvelope.ActionId.class,
          "subagentId", InEnvelope.SubagentId.class);

  private static final Map<String, JsonNodeType> ALWAYS =
      Map.ofEntries(
          Map.entry("type", JsonNodeType.STRING),
          Map.entry("eventId", JsonNodeType.STRING),
          Map.entry("sequence", JsonNodeType.NUMBER),
          Map.entry("timestamp", JsonNodeType.STRING),
          Map.entry("schemaVersion", JsonNodeType.STRING),
          Map.entry("runtimeId", JsonNodeType.STRING),
          Map.entry("sessionId", JsonNodeType.STRING),
          Map.entry("threadId", JsonNodeType.STRING),
          Map.entry("turnId", JsonNodeType.STRING),
          Map.entry("taskId", JsonNodeType.STRING),
          Map.entry("runId", JsonNodeType.STRING),
          Map.entry("traceId", JsonNodeType.STRING),
          Map.entry("payload", JsonNodeType.OBJECT));

  private static final Set<String> SOMETIMES =
      Set.of(
          "attemptId", "toolCallId", "stepId", "actionId", "processId", "outputRef", "subagentId");

  @Test
  void repeatsWhatAPayloadIsAbout() {
    List<String> missing = new ArrayList<>();
    for (Class<?> type : SampleEvents.types()) {
      for (RecordComponent member : type.getRecordComponents()) {
        Class<?> of = REPEATED.getOrDefault(member.getName(), Object.class);
        if (!of.isAssignableFrom(type)) {
          missing.add(type.getSimpleName() + " is no " + of.getSimpleName());
        }
      }
    }

    assertEquals(List.of(), missing);
  }

  @Test
  void hasANameAndASampleOfEveryType() {
    List<StoredEvent> known =
        stored().stream().filter(it -> !(it.event() instanceof RunEvent.Other)).toList();
    Set<Class<?>> types = new HashSet<>(SampleEvents.types());
    types.remove(RunEvent.Other.class);

    assertEquals(
        types, known.stream().map(it -> it.event().getClass()).collect(Collectors.toSet()));
    assertEquals(
        new TreeSet<>(EventTypes.names()),
        known.stream().map(StoredEvent::type).collect(Collectors.toCollection(TreeSet::new)));
  }

  @Test
  void hasEveryMemberInItsForm() {
    assertEquals(
        List.of(), stored().stream().flatMap(event -> faults(json(event)).stream()).toList());
  }

  @Test
  void aWrongMemberIsFound() {
    ObjectNode event = (ObjectNode) json(stored().getFirst());

    assertFalse(faults(event.deepCopy().put("eventId", "")).isEmpty());
    assertFalse(faults(event.deepCopy().put("sequence", "1")).isEmpty());
    assertFalse(faults(event.deepCopy().put("sequence", 0.5)).isEmpty());
    assertFalse(faults(event.deepCopy().put("stepId", 7)).isEmpty());
    assertFalse(faults(event.deepCopy().put("task", "1")).isEmpty());
    assertFalse(faults(event.deepCopy().without("timestamp")).isEmpty());
  }

  private static List<String> faults(JsonNode event) {
    List<String> faults = new ArrayList<>();
    ALWAYS.forEach(
        (name, type) -> {
          if (event.path(name).getNodeType() != type) {
            faults.add("wrong " + name + " in " + event);
          }
        });
    event
        .properties()
        .forEach(
            member -> {
              JsonNode value = member.getValue();
              boolean known = ALWAYS.containsKey(member.getKey());
              boolean allowed = known || (SOMETIMES.contains(member.getKey()) && value.isTextual());
              boolean empty = value.isTextual() && value.textValue().isEmpty();
              boolean counts = !value.isNumber() || (value.isInt() && value.intValue() > 0);
              if (!allowed || empty || !counts) {
                faults.add("wrong " + member.getKey() + " in " + event);
              }
            });
    return faults;
  }

  @Test
  void saysWhenInUtc() {
    assertTrue(
        stored().stream()
            .map(event -> json(event).path("timestamp").textValue())
            .allMatch(time -> time.endsWith("Z") && Instant.parse(time).equals(AT)));
  }

  /// One event of each type.
  static List<StoredEvent> stored() {
    return Stream.iterate(0, i -> i < SampleEvents.all().size(), i -> i + 1)
        .map(
            i ->
                new StoredEvent(
                    RUN, "session-1", "attempt-1", i + 1L, AT, SampleEvents.all().get(i)))
        .toList();
  }

  static JsonNode json(StoredEvent event) {
    try {
      return JsonFormat.JSON.readTree(
          new String(EventCodec.RUNS.encode(List.of(event)), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
