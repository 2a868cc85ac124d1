package dev.runyard.core.view.agentapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.StandardExtensions;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.SampleEvents;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.message.OutputPart;
import dev.runyard.core.usage.Usage;
import java.util.List;
import org.junit.jupiter.api.Test;

final class AgentApiViewTest {

  @Test
  void reportsOutputAsTextWithoutAMessage() {
    AgentEvent said = one(new RunEvent.ModelDelta("hello"));
    AgentEvent thought = one(new RunEvent.ReasoningDelta("hm"));

    assertEquals(AgentEvent.Kind.TEXT_OUTPUT, said.kind());
    assertEquals("hello", said.text());
    assertEquals("assistant", said.channel());
    assertNull(said.message());
    assertEquals(AgentEvent.Kind.TEXT_OUTPUT, thought.kind());
    assertEquals("reasoning", thought.channel());
  }

  @Test
  void saysOfAPartThatIsNotTextWhatItIs() {
    AgentEvent told =
        one(
            new RunEvent.ModelDelta(
                "aGVsbG8=", new OutputPart("image/png", null, "base64", "plot", null, null, null)));

    assertEquals(AgentEvent.Kind.STATUS, told.kind());
    assertFalse(String.valueOf(told.json()).contains("aGVsbG8="));
    assertTrue(String.valueOf(told.data()).contains("image/png"));
  }

  @Test
  void reportsMetadataOfAToolCallAndNoneOfItsContent() {
    JsonNode started = tool(new RunEvent.ToolStarted("t-1", "shell", "command", "ls s3cret"));
    JsonNode result = tool(new RunEvent.ToolResult("t-1", "shell", "command", 0, "s3cret", 6));
    JsonNode failed = tool(new RunEvent.ToolFailed("t-1", "shell", "command", 7, "s3cret", 6));
    JsonNode going = tool(new RunEvent.ToolProgress("t-1", "shell", "command", "s3cret", null));

    assertEquals("start running", phase(started));
    assertEquals("delta running", phase(going));
    assertEquals("complete completed", phase(result));
    assertEquals("fail failed", phase(failed));
    assertEquals("t-1", result.path("tool_use_id").textValue());
    assertEquals("shell", result.path("tool_name").textValue());
    assertEquals("command", result.path("kind").textValue());
    assertEquals(6, result.at("/bytes/result").intValue());
    assertEquals(7, failed.path("exit_code").intValue());
    assertTrue(started.path("exit_code").isNull());
    assertFalse((started.toString() + going + result + failed).contains("s3cret"));
  }

  @Test
  void reportsTheKindOfEveryToolEvent() {
    assertEquals(
        AgentEvent.Kind.TOOL_CALL, one(new RunEvent.ToolStarted("t", "n", "k", null)).kind());
    assertEquals(
        AgentEvent.Kind.TOOL_CALL,
        one(new RunEvent.ToolProgress("t", "n", "k", null, null)).kind());
    assertEquals(
        AgentEvent.Kind.TOOL_RESULT,
        one(new RunEvent.ToolResult("t", "n", "k", null, null, 0)).kind());
    assertEquals(
        AgentEvent.Kind.TOOL_RESULT,
        one(new RunEvent.ToolFailed("t", "n", "k", null, null, 0)).kind());
  }

  @Test
  void reportsTheSessionToResume() {
    AgentEvent told = one(new RunEvent.SessionUpdated(" native-1 "));

    assertEquals(AgentEvent.Kind.STATUS, told.kind());
    assertEquals(
        "{\"schema\":\"agent_api.session.handle.v1\",\"session\":{\"id\":\"native-1\"}}",
        String.valueOf(told.data()));
  }

  @Test
  void leavesOutASessionWhoseIdIsTooLong() {
    AgentEvent longest = one(new RunEvent.SessionUpdated("a".repeat(1024)));
    AgentEvent tooLong = one(new RunEvent.SessionUpdated("a".repeat(1025)));

    assertFalse(longest.data() == null);
    assertNull(tooLong.data());
    assertEquals("session handle omitted: id exceeds 1024 bytes", tooLong.message());
  }

  @Test
  void reportsTheWarningOfAnExternalSandboxUnchanged() {
    AgentEvent told =
        one(
            new RunEvent.RuntimeWarning(
                "external_sandbox", StandardExtensions.EXTERNAL_SANDBOX_WARNING));

    assertEquals(AgentEvent.Kind.STATUS, told.kind());
    assertEquals("status", told.channel());
    assertEquals(
        "DANGEROUS: external sandbox exec policy enabled"
            + " (agent_api.exec.external_sandbox.v1=true)",
        told.message());
    assertNull(told.data());
  }

  @Test
  void reportsErrorsWithTheirMessage() {
    AgentEvent told = one(new RunEvent.RuntimeError("agent_failed", "It broke."));

    assertEquals(AgentEvent.Kind.ERROR, told.kind());
    assertEquals("It broke.", told.message());
    assertNull(told.text());
  }

  @Test
  void reportsWhatCannotBeClassifiedAsUnknown() {
    for (RunEvent event :
        List.of(
            new RunEvent.RuntimeWarning("unknown_output", "a type"),
            new RunEvent.RuntimeWarning("unreadable_output", "a line"),
            new RunEvent.Other("future.type", JsonNodeFactory.instance.objectNode()))) {
      AgentEvent told = one(event);
      assertEquals(AgentEvent.Kind.UNKNOWN, told.kind());
      assertNull(told.text());
      assertNull(told.message());
    }
  }

  @Test
  void reportsUsageAsData() {
    AgentEvent told = one(new RunEvent.CostRecorded(new Usage(10, 4, 3, 20, 5, 0.25, 1), "m"));

    assertEquals(AgentEvent.Kind.STATUS, told.kind());
    JsonNode data = told.data();
    assertEquals(10, data == null ? 0 : data.at("/usage/input_tokens").intValue());
    assertEquals(3, data == null ? 0 : data.at("/usage/cache_write_tokens").intValue());
    assertEquals(1, data == null ? 0 : data.at("/usage/turns").intValue());
  }

  @Test
  void keepsThePayloadRulesForEveryTypeOfEvent() {
    for (RunEvent event : SampleEvents.all()) {
      AgentEvent told = one(event);
      assertEquals(told.kind() == AgentEvent.Kind.TEXT_OUTPUT, told.text() != null);
      boolean speaks =
          switch (told.kind()) {
            case STATUS, ERROR -> true;
            case TEXT_OUTPUT, TOOL_CALL, TOOL_RESULT, UNKNOWN -> false;
          };
      assertEquals(speaks, told.message() != null, event.toString());
    }
  }

  @Test
  void placesEventsByTheirStoredSequence() {
    StoredEvent third =
        Stored.all(
                new RunEvent.TurnCompleted(),
                new RunEvent.TurnCompleted(),
                new RunEvent.ModelDelta("x"))
            .getLast();

    JsonNode json =
        AgentApiView.json(third, AgentApiView.events(AgentCatalog.CODEX, third).getFirst());

    assertEquals(3, json.path("sequence").intValue());
    assertEquals("codex", json.path("agent_kind").textValue());
    assertEquals("TextOutput", json.path("kind").textValue());
    assertTrue(json.has("message") && json.path("message").isNull());
    assertTrue(json.has("data") && json.path("data").isNull());
  }

  @Test
  void splitsTextThatIsTooLongForOneEvent() {
    String text = "💖".repeat(16_385);

    List<AgentEvent> told =
        AgentApiView.events(AgentCatalog.CODEX, Stored.one(new RunEvent.ModelDelta(text)));

    assertEquals(
        List.of(65_536, 4),
        told.stream().map(event -> Bounds.bytes(String.valueOf(event.text()))).toList());
    assertTrue(told.stream().allMatch(event -> "assistant".equals(event.channel())));
  }

  private static JsonNode tool(RunEvent event) {
    JsonNode data = one(event).data();
    if (data == null) {
      throw new AssertionError("no data");
    }
    assertEquals("agent_api.tools.structured.v1", data.path("schema").textValue());
    return data.path("tool");
  }

  private static String phase(JsonNode tool) {
    return tool.path("phase").textValue() + " " + tool.path("status").textValue();
  }

  private static AgentEvent one(RunEvent event) {
    List<AgentEvent> told = AgentApiView.events(AgentCatalog.CODEX, Stored.one(event));
    assertEquals(1, told.size());
    return told.getFirst();
  }
}
