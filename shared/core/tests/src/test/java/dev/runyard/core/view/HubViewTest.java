package dev.runyard.core.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.ActionRequired;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.event.TaskWaiting;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.message.MessagePart;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.transcript.MessageEvents;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class HubViewTest {
  private static final RunKey RUN = new RunKey("default", "019a0000-0000-7000-8000-000000000001");
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final RunEvent CREATED =
      new RunEvent.TaskCreated(
          "worker", Map.of(), List.of(), null, 60, Map.of(), Map.of(), RetryPolicy.NEVER);

  @Test
  void showsAWholeRunInTheHubsTerms() throws Exception {
    assertEquals(
        List.of(
            "{\"type\":\"harness:start\",\"name\":\"worker\"}",
            "{\"type\":\"agent:start\",\"agentName\":\"worker\",\"runId\":\"RUN\"}",
            "{\"type\":\"agent:thinking\",\"content\":\"hm\",\"runId\":\"RUN\"}",
            "{\"type\":\"agent:text\",\"content\":\"hi\",\"runId\":\"RUN\"}",
            "{\"type\":\"agent:tool:start\",\"toolName\":\"ls\",\"input\":\".\",\"runId\":\"RUN\"}",
            "{\"type\":\"agent:tool:complete\",\"toolName\":\"ls\",\"result\":\"a\","
                + "\"isError\":false,\"runId\":\"RUN\"}",
            "{\"type\":\"session:message\",\"content\":\"more\",\"runId\":\"RUN\"}",
            "{\"type\":\"agent:complete\",\"agentName\":\"worker\",\"success\":true,"
                + "\"runId\":\"RUN\"}",
            "{\"type\":\"harness:complete\",\"success\":true,\"durationMs\":13000}"),
        events(
            CREATED,
            new RunEvent.TurnSubmitted("go"),
            new RunEvent.TaskQueued(1, 0, 0),
            new RunEvent.AttemptStarted(1, "a1", "r1", "t1"),
            new RunEvent.ProcessStarted("p1", "worker"),
            new RunEvent.ReasoningDelta("hm"),
            new RunEvent.ModelDelta("hi"),
            new RunEvent.ModelCompleted(),
            new RunEvent.ToolStarted("t-1", "ls", "other", "."),
            new RunEvent.ToolResult("t-1", "ls", "other", null, "a", 1),
            new RunEvent.ChannelMessage("m-1", "more", null),
            new RunEvent.AttemptCompleted(1, "a1"),
            new RunEvent.TurnCompleted(),
            new RunEvent.TaskCompleted()));
  }

  @Test
  void showsWhatWasAskedAndAnswered() throws Exception {
    assertEquals(
        List.of(
            "{\"type\":\"harness:start\",\"name\":\"worker\"}",
            "{\"type\":\"session:prompt\",\"promptId\":\"a.1\",\"prompt\":\"Which?\","
                + "\"choices\":[\"x\",\"y\"],\"allowText\":false}",
            "{\"type\":\"session:reply\",\"promptId\":\"a.1\",\"content\":\"x\"}"),
        events(
            CREATED,
            new ActionRequired(
                "a.1",
                ActionType.QUESTION,
                "Which?",
                null,
                List.of("x", "y"),
                60,
                START.plusSeconds(60),
                null),
            new TaskWaiting("a.1", "waiting_input"),
            new RunEvent.ActionResolved(
                "a.1", ActionDecision.ANSWER, JsonNodeFactory.instance.textNode("x"), "me")));
  }

  @Test
  void startsAnAgentOnceHoweverOftenItIsMoved() throws Exception {
    List<String> told =
        events(
            CREATED,
            new RunEvent.AttemptStarted(1, "a1", "r1", "t1"),
            new RunEvent.TaskPaused(1, "a1", "awaiting"),
            new RunEvent.AttemptStarted(2, "a2", "r2", "t2", true),
            new RunEvent.CancelRequested("enough"),
            new RunEvent.AttemptFailed(2, "a2", Failure.backend("x", "y")),
            new RunEvent.TaskCancelled("enough"));

    assertEquals(1, told.stream().filter(event -> event.contains("agent:start")).count());
    assertTrue(told.contains("{\"type\":\"session:abort\",\"reason\":\"enough\"}"));
    assertTrue(told.get(3).contains("\"success\":false"));
    assertTrue(told.getLast().contains("\"success\":false"));
  }

  @Test
  void passesOnWhatTheAgentEmittedInItsScope() throws Exception {
    ObjectNode emitted = (ObjectNode) json("{\"type\":\"narrative\",\"text\":\"once\"}");
    ObjectNode scope = (ObjectNode) json("{\"phase\":{\"name\":\"Plan\"}}");

    ObjectNode told = told(CREATED, HubView.kept(emitted, scope)).getLast();

    assertEquals(
        json(
            """
            {"id": "019a0000-0000-7000-8000-000000000001.2",
             "timestamp": "2026-01-01T00:00:01Z",
             "context": {"sessionId": "s-1", "phase": {"name": "Plan"}},
             "event": {"type": "narrative", "text": "once"}}
            """),
        told);
  }

  @Test
  void keepsTheTypeOfAnEventThatIsTooLarge() {
    ObjectNode large =
        JsonNodeFactory.instance
            .objectNode()
            .put("type", "big")
            .put("data", "x".repeat(Bounds.DATA_BYTES_MAX));

    ObjectNode told =
        told(CREATED, HubView.kept(large, JsonNodeFactory.instance.objectNode())).getLast();

    assertEquals("big", told.at("/event/type").textValue());
    assertTrue(told.at("/event/dropped").isObject());
    assertTrue(told.toString().getBytes(StandardCharsets.UTF_8).length < 1000);
  }

  @Test
  void setsContentApartThatIsNotText() {
    MessagePart image =
        new MessagePart("image/png", "aGk=", null, MessagePart.BASE64, "i.png", null);

    JsonNode event = told(CREATED, MessageEvents.part(image).getFirst()).getLast().path("event");

    assertEquals("", event.path("content").textValue());
    assertEquals("aGk=", event.at("/part/content").textValue());
    assertEquals("image/png", event.at("/part/contentType").textValue());
  }

  /// The events of the envelopes, with the run's id made short.
  private static List<String> events(RunEvent... events) {
    return told(events).stream()
        .map(told -> told.path("event").toString().replace(RUN.runId(), "RUN"))
        .toList();
  }

  private static List<ObjectNode> told(RunEvent... events) {
    List<StoredEvent> stored = new ArrayList<>();
    for (RunEvent event : events) {
      long sequence = stored.size() + 1L;
      stored.add(
          new StoredEvent(RUN, "s-1", null, sequence, START.plusSeconds(sequence - 1), event));
    }
    HubView view = new HubView();
    return stored.stream().map(view::render).flatMap(List::stream).map(HubViewTest::json).toList();
  }

  private static ObjectNode json(RenderedEvent event) {
    ObjectNode json = (ObjectNode) json(event.json());
    assertEquals(json.at("/event/type").textValue(), event.name());
    return json;
  }

  private static JsonNode json(String text) {
    try {
      return JsonFormat.JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }
}
