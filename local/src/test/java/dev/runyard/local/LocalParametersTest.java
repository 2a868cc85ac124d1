package dev.runyard.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.local.emulator.EmbeddedSecrets;
import dev.runyard.local.template.Template;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalParametersTest {
  private static final Path PRODUCT = Path.of("..", "template.yaml");

  @TempDir Path folder;

  @Test
  void everyLocalValueIsAParameterTheTemplateAllows() throws IOException {
    assertTrue(
        Template.parameterNames(Files.readString(PRODUCT))
            .containsAll(LocalParameters.DEFAULTS.keySet()));
    Path agents = Files.writeString(folder.resolve("agents.json"), "{\"agents\":{}}");
    Map<String, String> values =
        LocalParameters.of(LocalOptions.of(PRODUCT, folder).withAgents(agents));
    Template template = Template.read(PRODUCT, values);
    assertEquals("10", template.parameter("FlushMillis").orElseThrow().asText());
    assertEquals(
        "{\"agents\":{}}", template.parameter(LocalParameters.AGENTS).orElseThrow().asText());
  }

  @Test
  void letsTheApiReadTheSecretsOfHooksAndNoOthers() throws IOException {
    Path agents =
        Files.writeString(
            folder.resolve("agents.json"),
            "{\"agents\":{},\"hook_secrets\":{\"A\":\"secretsmanager:a\",\"B\":\"ssm:/b\",\"C\":\"env:C\"}}");
    Map<String, String> values =
        LocalParameters.of(LocalOptions.of(PRODUCT, folder).withAgents(agents));

    assertEquals(EmbeddedSecrets.secretArn("a"), values.get("HookSecretArns"));
    assertEquals(EmbeddedSecrets.parameterArn("/b"), values.get("HookSecretParameterArns"));
    assertEquals(
        Map.of("C", "own", "RUNYARD_AGENTS", Files.readString(agents)),
        HookVariables.added(
            Map.of("RUNYARD_AGENTS", Files.readString(agents)),
            Map.of("C", "own", "OTHER", "never")));
  }

  @Test
  void givenParametersWin() {
    LocalOptions options = LocalOptions.of(PRODUCT, folder).withParameter("FlushMillis", "77");
    assertEquals("77", LocalParameters.of(options).get("FlushMillis"));
  }

  @Test
  void refusesOptionsThatContradictEachOther() {
    LocalOptions options = LocalOptions.of(PRODUCT, folder);
    assertThrows(IllegalArgumentException.class, () -> options.withPort(70_000));
    assertThrows(
        IllegalArgumentException.class,
        () -> options.withData(folder).withEndpoint(java.net.URI.create("http://127.0.0.1:1")));
  }
}
