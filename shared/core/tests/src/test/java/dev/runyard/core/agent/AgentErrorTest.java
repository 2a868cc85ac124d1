package dev.runyard.core.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

final class AgentErrorTest {
  @Test
  void showsEveryKindWithItsMessage() {
    List<AgentError> all =
        List.of(
            new AgentError.UnknownBackend("x"),
            new AgentError.UnsupportedCapability(AgentCatalog.CODEX, "agent_api.y"),
            new AgentError.InvalidAgentKind("m"),
            new AgentError.InvalidRequest("m"),
            new AgentError.Backend("m"));

    assertEquals(
        List.of(
            "unknown backend: x",
            "unsupported capability for codex: agent_api.y",
            "invalid agent kind: m",
            "invalid request: m",
            "backend error: m"),
        all.stream().map(AgentError::display).toList());
    assertEquals(
        List.of(
            "UnknownBackend",
            "UnsupportedCapability",
            "InvalidAgentKind",
            "InvalidRequest",
            "Backend"),
        all.stream().map(AgentError::kind).toList());
  }
}
