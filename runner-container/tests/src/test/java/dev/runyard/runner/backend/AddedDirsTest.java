package dev.runyard.runner.backend;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.agent.Capabilities;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class AddedDirsTest {
  private static final Path SPACE = Path.of("/space");
  private static final Path WORKING_DIR = SPACE.resolve("project");

  @Test
  void saysWhetherAllOfThemLieInTheWorkspace() {
    assertTrue(AddedDirs.within(Map.of(), WORKING_DIR, SPACE));
    assertTrue(AddedDirs.within(adding("lib", "../other"), WORKING_DIR, SPACE));
    assertFalse(AddedDirs.within(adding("lib", "../../elsewhere"), WORKING_DIR, SPACE));
    assertFalse(AddedDirs.within(adding("/srv/shared"), WORKING_DIR, SPACE));
    assertFalse(AddedDirs.within(adding("\0"), WORKING_DIR, SPACE));
  }

  private static Map<String, JsonNode> adding(String... dirs) {
    ObjectNode value = JsonNodeFactory.instance.objectNode();
    ArrayNode named = value.putArray("dirs");
    for (String dir : dirs) {
      named.add(dir);
    }
    return Map.of(Capabilities.ADD_DIRS, value);
  }
}
