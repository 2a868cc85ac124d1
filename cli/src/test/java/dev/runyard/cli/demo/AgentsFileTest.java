package dev.runyard.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.agent.Grants;
import dev.runyard.core.agent.ModelTerms;
import dev.runyard.core.agent.Prices;
import dev.runyard.core.agent.RequestEnv;
import dev.runyard.core.secret.SecretSource;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AgentsFileTest {
  @TempDir private Path folder = Path.of("");

  @Test
  void stackReadsWhatTheDemoWrites() throws IOException {
    Path file =
        AgentsFile.codex(folder, Path.of("/opt/codex"), URI.create("http://127.0.0.1:9/v1"));
    AgentSettings.Agent codex = settings(Files.readString(file));
    assertEquals("/opt/codex", codex.program());
    assertEquals("http://127.0.0.1:9/v1", codex.endpoint());
    assertEquals(AgentsFile.MODEL, codex.model());
  }

  @Test
  void documentationShowsEveryMemberInAFileThatIsRead() throws IOException {
    Path home = Path.of(Objects.requireNonNull(System.getProperty("runyard.home")));
    String page = Files.readString(home.resolve("docs/agents-file.md"));
    Matcher example = Pattern.compile("```json\n(.*?)```", Pattern.DOTALL).matcher(page);
    assertTrue(example.find());
    AgentSettings.Agent codex = settings(example.group(1));
    assertEquals(
        new AgentSettings.Agent(
            "/opt/codex/bin/codex",
            java.util.List.of("-c", "features.plugins=false"),
            java.util.Map.of("RUST_LOG", "error"),
            "https://models.example.com/v1",
            "gpt-5.5",
            null,
            new Grants(
                java.util.Set.of("agent_api.exec.add_dirs.v1"),
                RequestEnv.of(java.util.List.of("CI", "BUILD_*")),
                false),
            Prices.NONE,
            new ModelTerms(
                java.util.Set.of(),
                null,
                Optional.of(new SecretSource.Managed("team/models", Optional.of("openai"))))),
        codex);
  }

  private static AgentSettings.Agent settings(String document) {
    return AgentSettings.parse(document, AgentCatalog.builtIn()).of(AgentCatalog.CODEX);
  }
}
