package dev.runyard.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.aws.Settings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class TaskVariablesTest {
  private static final LocalOptions OPTIONS =
      LocalOptions.of(Path.of("/p/template.yaml"), Path.of("/w"));

  @Test
  void areThisProcesssWithoutWhatOpensAnAccount() {
    Map<String, String> variables =
        TaskVariables.inherited(
            Map.of("PATH", "/bin", "AWS_SECRET_ACCESS_KEY", "s", "RUNYARD_TOKEN", "t"), OPTIONS);
    assertEquals("/bin", variables.get("PATH"));
    assertNull(variables.get("AWS_SECRET_ACCESS_KEY"));
    assertNull(variables.get("RUNYARD_TOKEN"));
  }

  @Test
  void nameWhatAgentsMustNotRead() {
    LocalOptions options =
        OPTIONS
            .withSecrets(Path.of("/h/secrets.json"))
            .withAgents(Path.of("/h/agents.json"))
            .withData(Path.of("/d"));
    List<Path> hidden = new Settings(TaskVariables.inherited(Map.of(), options)).hidden();
    for (String path :
        List.of("/w/tokens", "/h/secrets.json", "/h/agents.json", "/d/store", "/d/objects")) {
      assertTrue(hidden.contains(Path.of(path)), path);
    }
    assertTrue(
        new Settings(TaskVariables.inherited(Map.of(), OPTIONS))
            .hidden()
            .contains(Path.of("/w/store")),
        "without a folder of its own");
  }
}
