package dev.runyard.gates.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// The runner's image, against the task that starts it.
class RunnerImageTest {

  private static final Path FOLDER = Path.of("..", "runner-container");

  @Test
  void installsAgentCliesFromLockFilesWithoutAnAddress() throws IOException {
    List<String> names = List.of(last("ARG AGENTS=").replace("\"", "").split(" "));
    for (String name : names) {
      JsonNode manifest = json(name, "package.json");
      JsonNode locked = json(name, "package-lock.json").path("packages");
      for (var cli : manifest.path("dependencies").properties()) {
        var entry = locked.path("node_modules/" + cli.getKey());
        assertEquals(cli.getValue().asText(), entry.path("version").asText(), cli.getKey());
      }
      for (var entry : locked.properties()) {
        assertFalse(entry.getValue().has("resolved"), entry.getKey());
        assertTrue(entry.getKey().isEmpty() || entry.getValue().has("integrity"), entry.getKey());
      }
      assertFalse(manifest.at("/runyard/program").asText().isEmpty(), name);
      assertFalse(manifest.at("/runyard/command").asText().isEmpty(), name);
    }
  }

  @Test
  void runsAsAUserWithoutRights() throws IOException {
    assertEquals("10001:10001", last("USER "));
  }

  @Test
  void declaresAVolumeForEachMountSoThatItsOwnerMayWrite() throws IOException {
    var mounted = new TreeSet<String>();
    SamTemplate.read()
        .runnerContainer()
        .path("MountPoints")
        .forEach(mount -> mounted.add(mount.path("ContainerPath").asText()));
    var declared = new TreeSet<String>();
    new ObjectMapper().readTree(last("VOLUME ")).forEach(path -> declared.add(path.asText()));
    assertEquals(mounted, declared);
  }

  @Test
  void hasTheJavaAgentsWhereTheTaskAndTheFunctionsLookForThem() throws IOException {
    String folder = last("COPY agent-jars/ ").replaceAll("/$", "");
    assertTrue(Files.readAllLines(FOLDER.resolve(".dockerignore")).contains("!agent-jars"));
    assertTrue(Files.isDirectory(FOLDER.resolve("agent-jars")));
    assertTrue(
        Files.readString(FOLDER.resolve("../docs/agents.md"))
            .contains("the parameter `AgentJars` is then `" + folder + "`"));
    var template = SamTemplate.read();
    String named = agentJars(template, "ApiFunction");
    assertEquals(named, agentJars(template, "StreamFunction"));
    for (var variable : template.runnerContainer().path("Environment")) {
      if (variable.path("Name").asText().equals("RUNYARD_AGENT_JARS")) {
        assertEquals(named, variable.path("Value").toString());
        return;
      }
    }
    throw new AssertionError("the runner's task names no folder");
  }

  private static String agentJars(SamTemplate template, String function) {
    return String.valueOf(
        template.environment(template.properties(function)).get("RUNYARD_AGENT_JARS"));
  }

  private static String last(String instruction) throws IOException {
    return dockerfile().stream()
        .filter(line -> line.startsWith(instruction))
        .reduce((earlier, later) -> later)
        .orElseThrow()
        .substring(instruction.length());
  }

  private static List<String> dockerfile() throws IOException {
    return Files.readAllLines(FOLDER.resolve("Dockerfile"));
  }

  private static JsonNode json(String agent, String file) throws IOException {
    Path folder = FOLDER.resolve("agents").resolve(agent);
    return new ObjectMapper().readTree(folder.resolve(file).toFile());
  }
}
