package dev.runyard.aws;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.secret.Fetched;
import dev.runyard.core.secret.NamedSecrets;
import dev.runyard.core.secret.SecretSource;
import dev.runyard.core.secret.SecretTrouble;
import dev.runyard.core.secret.SecretVault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SecretPlacesTest {
  private static final String VALUE = "s3cret-of-the-operator";

  @TempDir private Path folder = Path.of("");

  @Test
  void readsAVariableOfTheRunner() {
    SecretPlaces secrets =
        new SecretPlaces(Map.of("TOKEN", VALUE, "BLANK", " "), SecretVault.EMPTY);

    assertEquals(new Fetched.Value(VALUE), read(secrets, "env:TOKEN"));
    assertEquals(unavailable(SecretTrouble.NO_TEXT), read(secrets, "env:BLANK"));
    assertEquals(unavailable(SecretTrouble.UNKNOWN), read(secrets, "env:OTHER"));
  }

  @Test
  void readsAFileThatOnlyItsOwnerMayUse() throws IOException {
    Path file = folder.resolve("token");
    Files.writeString(file, VALUE + "\n");
    SecretPlaces secrets = new SecretPlaces(Map.of(), SecretVault.EMPTY);
    String source = "file:" + file;

    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    assertEquals(unavailable(SecretTrouble.NOT_PRIVATE), read(secrets, source));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    assertEquals(new Fetched.Value(VALUE), read(secrets, source));
    assertEquals(
        unavailable(SecretTrouble.UNKNOWN), read(secrets, "file:" + folder.resolve("none")));
    Files.writeString(file, "x".repeat(SecretVault.SECRET_BYTES_MAX + 1));
    assertEquals(unavailable(SecretTrouble.TOO_LARGE), read(secrets, source));
    Files.write(file, new byte[] {(byte) 0xff, 1, 2});
    assertEquals(unavailable(SecretTrouble.NO_TEXT), read(secrets, source));
  }

  @Test
  void asksTheVaultForTheRest() {
    SecretPlaces secrets =
        new SecretPlaces(Map.of(), new NamedSecrets(Map.of("team/npm", "one", "/team/npm", "two")));

    assertEquals(new Fetched.Value("one"), read(secrets, "secretsmanager:team/npm"));
    assertEquals(new Fetched.Value("one"), read(secrets, "secretsmanager:team/npm#member"));
    assertEquals(new Fetched.Value("two"), read(secrets, "ssm:/team/npm"));
  }

  private static Fetched read(SecretPlaces secrets, String source) {
    return secrets.read(SecretSource.read(source).orElseThrow());
  }

  private static Fetched unavailable(SecretTrouble why) {
    return new Fetched.Unavailable(why);
  }
}
