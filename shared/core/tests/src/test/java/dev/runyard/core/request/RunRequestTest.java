package dev.runyard.core.request;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class RunRequestTest {
  @Test
  void keepsInASnapshotWhatLaterRequestsToTheRunDependOn() {
    Map<String, JsonNode> flag = Map.of("agent_api.exec.non_interactive", BooleanNode.FALSE);
    RunRequest whole =
        new RunRequest(
            "codex",
            "a long prompt",
            "s-1",
            Map.of(
                "agent_api.exec.non_interactive",
                BooleanNode.FALSE,
                "agent_api.config.model.v1",
                TextNode.valueOf("gpt-5.5")),
            List.of(),
            null,
            60,
            Map.of("A", "b"),
            Map.of("team", "x"),
            RetryPolicy.NEVER);

    RunRequest slim = whole.slim();

    assertEquals(flag, slim.extensions());
    assertEquals("", slim.prompt());
    assertEquals(Map.of(), slim.env());
    assertEquals(Map.of("team", "x"), slim.tags());
  }
}
