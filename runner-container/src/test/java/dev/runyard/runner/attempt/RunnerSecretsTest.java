package dev.runyard.runner.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.request.SecretRef;
import dev.runyard.runner.backend.Redaction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RunnerSecretsTest {
  private static final String VALUE = "s3cret-of-the-operator";

  @TempDir private Path folder = Path.of("");

  @Test
  void readsAVariableOfTheRunner() {
    RunnerSecrets secrets = new RunnerSecrets(Map.of("TOKEN", VALUE, "BLANK", " "));

    assertEquals(Optional.of(VALUE), secrets.read("env:TOKEN"));
    assertEquals(Optional.empty(), secrets.read("env:BLANK"));
    assertEquals(Optional.empty(), secrets.read("env:OTHER"));
  }

  @Test
  void readsAFileThatOnlyItsOwnerMayUse() throws IOException {
    Path file = folder.resolve("token");
    Files.writeString(file, VALUE + "\n");
    RunnerSecrets secrets = new RunnerSecrets(Map.of());

    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    assertEquals(Optional.empty(), secrets.read("file:" + file));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    assertEquals(Optional.of(VALUE), secrets.read("file:" + file));
    assertEquals(Optional.empty(), secrets.read("file:" + folder.resolve("none")));
    Files.writeString(file, "x".repeat(RunnerSecrets.SECRET_BYTES_MAX + 1));
    assertEquals(Optional.empty(), secrets.read("file:" + file));
  }

  @Test
  void givesAnAgentTheSecretsThatItsRequestNames() {
    Redaction redaction = new Redaction();
    AgentEnvironment environment = environment(Map.of("RUNNERS", VALUE));
    Map<String, String> given = Map.of("A", SecretRef.value("TOKEN"), "B", "b");

    assertEquals(
        new Prepared.Ready<>(Map.of("A", VALUE, "B", "b")),
        environment.resolved(AgentCatalog.CODEX, given, redaction));
    assertEquals("my [redacted TOKEN]", redaction.text("my " + VALUE));
  }

  @Test
  void refusesASecretThatIsNotThereOrNotAllowed() {
    for (String name : new String[] {"TOKEN", "OTHER"}) {
      Prepared<Map<String, String>> refused =
          environment(Map.of())
              .resolved(AgentCatalog.CODEX, Map.of("A", SecretRef.value(name)), new Redaction());
      assertEquals(
          "The agent could not be started: its runner cannot read the secret " + name + ".",
          assertInstanceOf(Prepared.Refused.class, refused).failure().message());
    }
  }

  @Test
  void keepsWhatTheOperatorAndTheRequestCallSecret() {
    Redaction redaction =
        environment(Map.of("KEY_OF_CODEX", "operators-key-0001"))
            .redaction(AgentCatalog.CODEX, Map.of("GIVEN", "of the request"));

    assertEquals(
        "[redacted KEY_OF_CODEX] [redacted MY_TOKEN] [redacted GIVEN] level=error-and-more",
        redaction.text("operators-key-0001 token-in-file of the request level=error-and-more"));
  }

  private static AgentEnvironment environment(Map<String, String> runners) {
    String document =
        """
        {"agents": {"codex": {"api_key_env": "KEY_OF_CODEX", "request_env": ["A", "B"],
          "env": {"MY_TOKEN": "token-in-file", "LEVEL": "error-and-more"},
          "secrets": {"TOKEN": "env:RUNNERS"}}}}
        """;
    return new AgentEnvironment(AgentSettings.parse(document, AgentCatalog.builtIn()), runners);
  }
}
