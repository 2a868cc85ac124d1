package dev.runyard.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SecretsFileTest {
  private static final String VALUE = "s3cret-value";

  @TempDir private Path folder = Path.of("");
  private Path file = Path.of("");

  @BeforeEach
  void make() throws IOException {
    file = folder.resolve("secrets.json");
    write("{\"team/npm\": \"%s\", \"/team/pypi\": \"two\"}".formatted(VALUE));
    mode("rw-------");
  }

  @Test
  void readsNamesAndValues() {
    assertEquals(Map.of("team/npm", VALUE, "/team/pypi", "two"), SecretsFile.read(file));
  }

  @Test
  void refusesAFileThatOthersMayUse() throws IOException {
    for (String mode : List.of("rw-r-----", "rw----r--", "rw--w----", "rwx------")) {
      mode(mode);
      String message = refusal();
      assertTrue(message.endsWith("may be used by others; chmod 600 it"), message);
    }
  }

  @Test
  void refusesWhatIsNoObjectOfTextsAndRepeatsNoValue() throws IOException {
    for (String text :
        List.of(
            "",
            VALUE,
            "[\"" + VALUE + "\"]",
            "{\"a\": {\"b\": \"" + VALUE + "\"}}",
            "{\"a\": \"" + VALUE + "\", \"a\": \"\"}",
            "{\"a\": \"" + VALUE + "\"} x",
            "{\"a\": \"" + VALUE + "x".repeat(SecretsFile.FILE_BYTES_MAX) + "\"}")) {
      write(text);
      assertFalse(refusal().contains(VALUE), this::refusal);
    }
  }

  @Test
  void letsTheRunnerReadWhatItNames() {
    LocalOptions options =
        LocalOptions.of(Path.of("..", "template.yaml"), folder).withSecrets(file);

    Map<String, String> parameters = LocalParameters.of(options);

    assertEquals(
        "arn:aws:secretsmanager:us-east-1:000000000000:secret:team/npm",
        parameters.get("SecretArns"));
    assertEquals(
        "arn:aws:ssm:us-east-1:000000000000:parameter/team/pypi",
        parameters.get("SecretParameterArns"));
    assertEquals(
        "mine", LocalParameters.of(options.withParameter("SecretArns", "mine")).get("SecretArns"));
  }

  private String refusal() {
    return String.valueOf(
        assertThrows(IllegalArgumentException.class, () -> SecretsFile.read(file)).getMessage());
  }

  private void write(String text) throws IOException {
    Files.writeString(file, text);
  }

  private void mode(String mode) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
  }
}
