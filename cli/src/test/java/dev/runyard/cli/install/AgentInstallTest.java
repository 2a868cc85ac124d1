package dev.runyard.cli.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.runyard.needs.Program;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AgentInstallTest {
  private static final AgentPackage CODEX = AgentPackage.of("codex");
  private static final String INSTALLS =
      """
      #!/bin/sh
      echo "$@" >>"$(dirname "$0")/calls"
      test -f package.json && test -f package-lock.json || exit 9
      bin=node_modules/@openai/codex-any/vendor/any/bin
      /bin/mkdir -p $bin && echo '#!/bin/sh' >$bin/codex && /bin/chmod +x $bin/codex
      """;

  @TempDir private Path cache = Path.of("");
  @TempDir private Path path = Path.of("");

  private final List<String> progress = new ArrayList<>();

  @Test
  void installsOnceAndThenFindsIt() throws Exception {
    npm(INSTALLS);
    Path first = install().program(CODEX);
    assertTrue(Files.isExecutable(first));
    assertTrue(first.startsWith(cache.resolve("codex").resolve(CODEX.version())));
    assertEquals(first, install().program(CODEX));
    assertEquals(
        List.of("ci --ignore-scripts --no-audit --no-fund --loglevel=error"),
        Files.readAllLines(path.resolve("calls")));
    assertEquals(1, entries());
  }

  @Test
  void saysWhatNpmSaidAndLeavesNothingHalfInstalled() throws Exception {
    npm("#!/bin/sh\necho 'npm error ENETUNREACH'\nexit 1\n");
    IOException failure = assertThrows(IOException.class, () -> install().program(CODEX));
    assertTrue(String.valueOf(failure.getMessage()).contains("could not install @openai/codex"));
    assertEquals("npm: npm error ENETUNREACH", progress.getLast());
    assertEquals(0, entries());
  }

  @Test
  void saysThatNpmIsMissing() {
    IOException failure = assertThrows(IOException.class, () -> install().program(CODEX));
    assertTrue(String.valueOf(failure.getMessage()).contains("npm is not there"));
  }

  @Test
  void pinsOneVersionOfEachWithHashesAndWithoutAddresses() throws IOException {
    for (AgentPackage agent : AgentPackage.all()) {
      assertTrue(agent.version().matches("\\d+\\.\\d+\\.\\d+"), agent::toString);
      assertFalse(agent.title().isEmpty() || agent.command().isEmpty(), agent::toString);
      try (InputStream in = AgentPackage.resource(agent.name(), "package-lock.json")) {
        JsonNode packages = JsonMapper.builder().build().readTree(in).path("packages");
        assertEquals(
            agent.version(),
            packages.path("node_modules/" + agent.npmPackage()).path("version").asText());
        for (Map.Entry<String, JsonNode> entry : packages.properties()) {
          assertEquals(
              !entry.getKey().isEmpty(), entry.getValue().has("integrity"), entry.getKey());
          assertFalse(entry.getValue().has("resolved"), entry.getKey());
        }
      }
    }
  }

  @Test
  void seesAKeyOrALoginWithoutReadingIt() throws IOException {
    assertFalse(CODEX.loggedIn(Map.of("HOME", cache.toString())));
    assertTrue(CODEX.loggedIn(Map.of("CODEX_API_KEY", "x")));
    Files.createDirectories(cache.resolve(".codex"));
    Path login = Files.writeString(cache.resolve(".codex/auth.json"), "{}\n");
    assertFalse(CODEX.loggedIn(Map.of("HOME", cache.toString())));
    Files.writeString(login, "{\"tokens\":{}}");
    assertTrue(CODEX.loggedIn(Map.of("HOME", cache.toString())));
  }

  private AgentInstall install() {
    return new AgentInstall(new Programs(Map.of("PATH", path.toString())), cache, progress::add);
  }

  private void npm(String script) throws IOException {
    Program.write(path.resolve("npm"), script);
  }

  private long entries() throws IOException {
    try (Stream<Path> files = Files.list(cache.resolve("codex"))) {
      return files.count();
    }
  }
}
