package dev.runyard.functions;

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
  void locksEachAgentCliAtOneVersionWithoutAnAddress() throws IOException {
    var wanted = json("package.json").path("dependencies");
    var locked = json("package-lock.json").path("packages");
    for (var cli : wanted.properties()) {
      var entry = locked.path("node_modules/" + cli.getKey());
      assertEquals(cli.getValue().asText(), entry.path("version").asText(), cli.getKey());
    }
    for (var entry : locked.properties()) {
      assertFalse(entry.getValue().has("resolved"), entry.getKey());
      assertTrue(entry.getKey().isEmpty() || entry.getValue().has("integrity"), entry.getKey());
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

  private static JsonNode json(String name) throws IOException {
    return new ObjectMapper().readTree(FOLDER.resolve("agents").resolve(name).toFile());
  }
}
