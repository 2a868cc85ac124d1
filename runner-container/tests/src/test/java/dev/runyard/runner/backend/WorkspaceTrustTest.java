package dev.runyard.runner.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.agent.Grants;
import dev.runyard.core.agent.RequestEnv;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Repositories that would configure a CLI that cannot be told to ignore them.
final class WorkspaceTrustTest {
  private static final Grants TRUSTING = new Grants(Set.of(), RequestEnv.NONE, true);

  @TempDir private Path workspace = Path.of("");

  @ParameterizedTest
  @CsvSource({
    "claude_agent_acp, .claude/settings.json",
    "claude_agent_acp, .claude/settings.local.json",
    "claude_agent_acp, .mcp.json",
    "gemini_cli, .gemini",
    "gemini_cli, .env",
    "gemini_acp, .gemini",
    "gemini_acp, .env",
    "opencode, .opencode",
    "opencode, opencode.json",
    "opencode, opencode.jsonc",
    "opencode_acp, .opencode",
    "opencode_acp, opencode.json",
    "opencode_acp, opencode.jsonc",
    "pi, .pi",
    "qwen, .qwen",
    "qwen, .env",
    "qwen, .mcp.json",
    "qwen_acp, .qwen",
    "qwen_acp, .env",
    "qwen_acp, .mcp.json",
  })
  void isRefusedToSettingsOfARepository(String kind, String name) throws IOException {
    AgentRunRequest request = request(kind);
    assertEquals(Optional.empty(), WorkspaceTrust.problem(request, Grants.NONE));
    Path settings = workspace.resolve(name);
    Files.createDirectories(settings.getParent());
    // One that leads nowhere yet may lead somewhere once the agent looks.
    Files.createSymbolicLink(settings, Path.of("nowhere"));

    String said = WorkspaceTrust.problem(request, Grants.NONE).orElseThrow().detail();

    assertTrue(said.contains(name) && said.contains(Grants.TRUST_WORKSPACE), said);
    assertEquals(Optional.empty(), WorkspaceTrust.problem(request, TRUSTING));
  }

  @Test
  void looksInEachFolderFromWhereTheAgentWorksUpToTheWorkspace() throws IOException {
    AgentRunRequest request = request("opencode");
    Files.writeString(workspace.resolve("opencode.json"), "{}");

    assertTrue(WorkspaceTrust.problem(request, Grants.NONE).isPresent());
  }

  private AgentRunRequest request(String kind) throws IOException {
    Path folder = Files.createDirectories(workspace.resolve("a/b"));
    return Requests.request(kind, "work", Map.of(), workspace, folder, Map.of());
  }
}
