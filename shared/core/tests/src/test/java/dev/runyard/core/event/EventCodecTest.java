package dev.runyard.core.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.TurnIds;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.usage.Usage;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EventCodecTest {
  private static final RunKey RUN = new RunKey("acme", "019c0000-0000-7000-8000-000000000001");
  private static final Instant AT = Instant.parse("2026-03-01T12:00:00.120Z");

  @Test
  void returnsEveryEventAsItWasWritten() {
    List<StoredEvent> events = stored(SampleEvents.all());

    assertEquals(events, EventCodec.RUNS.decode(RUN, EventCodec.RUNS.encode(events)));
  }

  @Test
  void readsEventsFromBeforeRunsHadBounds() throws JsonProcessingException {
    RunEvent.TaskCreated plain =
        new RunEvent.TaskCreated(
            "echo", Map.of(), List.of(), null, 60, Map.of(), Map.of(), RetryPolicy.NEVER);
    List<StoredEvent> events = stored(List.of(plain));
    String line = new String(EventCodec.RUNS.encode(events), StandardCharsets.UTF_8);

    assertFalse(line.contains("bounds"));
    assertEquals(events, EventCodec.RUNS.decode(RUN, line.getBytes(StandardCharsets.UTF_8)));
    assertEquals(
        new Usage(7, 3, 0, 2, 1, null, 0),
        JsonFormat.JSON.readValue(
            "{\"inputTokens\":7,\"cachedInputTokens\":3,\"outputTokens\":2,\"reasoningTokens\":1}",
            Usage.class));
  }

  @Test
  void readsEventsOfARequestAndThoseFromBeforeItWasNamed() {
    StoredEvent nobody = cancelled(1, null);
    StoredEvent older = cancelled(2, Requester.of("key:k-1"));
    StoredEvent newer = cancelled(3, new Requester("key:k-1", "r-7"));

    byte[] lines = EventCodec.RUNS.encode(List.of(nobody, older, newer));

    assertEquals(List.of(nobody, older, newer), EventCodec.RUNS.decode(RUN, lines));
    List<String> written = new String(lines, StandardCharsets.UTF_8).lines().toList();
    assertFalse(written.getFirst().contains("actor"));
    assertTrue(written.get(1).contains("\"actor\":\"key:k-1\",\"payload\""), written::toString);
    assertTrue(written.getLast().contains("\"actor\":\"key:k-1\",\"requestId\":\"r-7\""));
  }

  private static StoredEvent cancelled(long sequence, @Nullable Requester by) {
    TurnIds turn = TurnIds.of(RUN, "session-1");
    RunEvent wanted = new RunEvent.CancelRequested("enough");
    return new StoredEvent(RUN, turn, null, sequence, AT, wanted, by);
  }

  @Test
  void writesOneLineForEachEvent() {
    List<StoredEvent> events = stored(SampleEvents.all());

    String lines = new String(EventCodec.RUNS.encode(events), StandardCharsets.UTF_8);

    assertEquals(events.size(), lines.lines().count());
    assertTrue(lines.endsWith("}\n"));
  }

  @Test
  void keepsTheThreadAndTheTurnThatARequestNamed() {
    StoredEvent named =
        new StoredEvent(
            RUN,
            new TurnIds("session-1", "review", "turn.1"),
            null,
            1,
            AT,
            new RunEvent.TaskCompleted(),
            null);
    byte[] line = EventCodec.RUNS.encode(List.of(named));

    assertTrue(
        new String(line, StandardCharsets.UTF_8)
            .contains("\"threadId\":\"review\",\"turnId\":\"turn.1\""));
    assertEquals(List.of(named), EventCodec.RUNS.decode(RUN, line));
  }

  @Test
  void writesTheEnvelope() throws JsonProcessingException {
    StoredEvent event =
        new StoredEvent(
            RUN,
            "session-1",
            "attempt-1",
            7,
            AT,
            new RunEvent.ToolStarted("tool-1", "bash", "execute", null));

    assertEquals(
        JsonFormat.JSON.readTree(
            """
            {"type": "tool.started",
             "eventId": "019c0000-0000-7000-8000-000000000001.7",
             "sequence": 7,
             "timestamp": "2026-03-01T12:00:00.120Z",
             "schemaVersion": "1",
             "runtimeId": "runyard",
             "sessionId": "session-1",
             "threadId": "thread-session-1",
             "turnId": "turn-019c0000-0000-7000-8000-000000000001",
             "taskId": "task-019c0000-0000-7000-8000-000000000001",
             "runId": "019c0000-0000-7000-8000-000000000001",
             "traceId": "019c0000000070008000000000000001",
             "attemptId": "attempt-1",
             "toolCallId": "tool-1",
             "stepId": "step-tool-1",
             "payload": {"toolCallId": "tool-1", "name": "bash", "kind": "execute"}}
            """),
        json(event));
  }

  /// A reader finds all there is about one tool call, action, process or output by these alone.
  @Test
  void namesInTheEnvelopeWhatTheEventIsAbout() throws JsonProcessingException {
    for (StoredEvent event : stored(SampleEvents.all())) {
      JsonNode json = json(event);
      for (String name : List.of("toolCallId", "actionId", "processId", "outputRef")) {
        assertEquals(json.path("payload").path(name), json.path(name), event.type());
      }
      assertEquals(
          json.has("toolCallId") ? "step-" + json.path("toolCallId").textValue() : null,
          json.path("stepId").textValue(),
          event.type());
    }
  }

  @Test
  void keepsAnEventOfATypeItDoesNotKnow() {
    StoredEvent read = read(line("\"type\":\"subagent.spawned\"", "\"payload\":{\"depth\":[1,2]}"));

    RunEvent.Other other = assertInstanceOf(RunEvent.Other.class, read.event());
    assertEquals("subagent.spawned", other.type());
    assertEquals("[1,2]", other.payload().get("depth").toString());
    assertEquals(List.of(read), EventCodec.RUNS.decode(RUN, EventCodec.RUNS.encode(List.of(read))));
  }

  @Test
  void ignoresMembersItDoesNotKnow() {
    StoredEvent read =
        read(
            line(
                "\"type\":\"model.delta\"",
                "\"nativeStatus\":\"x\",\"refs\":{},\"payload\":{\"text\":\"a\",\"lang\":\"en\"}"));

    assertEquals(new RunEvent.ModelDelta("a"), read.event());
  }

  @Test
  void refusesWhatIsNoEvent() {
    assertThrows(UncheckedIOException.class, () -> decode("{\"type\":"));
    assertThrows(RuntimeException.class, () -> decode("{\"type\":\"model.delta\"}"));
    assertThrows(RuntimeException.class, () -> decode("7"));
    assertThrows(
        UncheckedIOException.class,
        () -> decode(line("\"type\":\"x.y\"", "\"payload\":" + "[".repeat(300) + "]".repeat(300))));
  }

  @Test
  void keepsTextThatNeedsEscaping() {
    String text = "\u0000\n\r\t\"\\\u2028 größe 👋 \uFFFF";
    List<StoredEvent> events = stored(List.of(new RunEvent.ModelDelta(text)));

    assertEquals(events, EventCodec.RUNS.decode(RUN, EventCodec.RUNS.encode(events)));
    assertEquals(
        1, new String(EventCodec.RUNS.encode(events), StandardCharsets.UTF_8).lines().count());
  }

  @Test
  void writesTimesInMillisecondsOfUtc() {
    assertEquals("2026-03-01T12:00:00.120Z", JsonFormat.time(AT.plusNanos(999_999)));
    for (String text :
        List.of(
            "2026-03-01T12:00:00Z",
            "2026-03-01T12:00:00.007Z",
            "2026-03-01T12:00:00.980Z",
            "2026-03-01T12:00:01.001Z",
            "1969-12-31T23:59:59.900Z")) {
      assertEquals(text, JsonFormat.time(Instant.parse(text)));
    }
  }

  private static List<StoredEvent> stored(List<RunEvent> events) {
    List<StoredEvent> stored = new ArrayList<>();
    for (RunEvent event : events) {
      stored.add(new StoredEvent(RUN, "session-1", "attempt-1", stored.size() + 1, AT, event));
    }
    return stored;
  }

  private static JsonNode json(StoredEvent event) throws JsonProcessingException {
    return JsonFormat.JSON.readTree(
        new String(EventCodec.RUNS.encode(List.of(event)), StandardCharsets.UTF_8));
  }

  private static String line(String type, String more) {
    return "{%s,\"sessionId\":\"s\",\"sequence\":1,\"timestamp\":\"2026-03-01T12:00:00Z\",%s}\n"
        .formatted(type, more);
  }

  private static StoredEvent read(String line) {
    return decode(line).getFirst();
  }

  private static List<StoredEvent> decode(String lines) {
    return EventCodec.RUNS.decode(RUN, lines.getBytes(StandardCharsets.UTF_8));
  }
}
