package dev.runyard.aws;

import dev.runyard.core.secret.Fetched;
import dev.runyard.core.secret.SecretSource;
import dev.runyard.core.secret.SecretTrouble;
import dev.runyard.core.secret.SecretVault;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Reads secrets from the places that the operator named.
///
/// @param runnerEnv the own variables of the runner, or of the function
/// @param vault asked for what is neither a variable nor a file
public record SecretPlaces(Map<String, String> runnerEnv, SecretVault vault) {
  private static final Set<PosixFilePermission> OWNERS =
      EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

  /// All of what is kept in a place, whichever member of it is meant.
  public Fetched read(SecretSource source) {
    return switch (source) {
      case SecretSource.Variable(String name) ->
          Optional.ofNullable(runnerEnv.get(name))
              .map(SecretVault::checked)
              .orElseGet(() -> unavailable(SecretTrouble.UNKNOWN));
      case SecretSource.PrivateFile(String path) -> file(Path.of(path));
      case SecretSource.Managed(String id, _) -> vault.secret(id);
      case SecretSource.Parameter(String name) -> vault.parameter(name);
    };
  }

  private static Fetched file(Path path) {
    try {
      if (!OWNERS.containsAll(Files.getPosixFilePermissions(path))) {
        return unavailable(SecretTrouble.NOT_PRIVATE);
      }
      byte[] bytes;
      try (InputStream in = Files.newInputStream(path)) {
        bytes = in.readNBytes(SecretVault.SECRET_BYTES_MAX + 1);
      }
      return bytes.length > SecretVault.SECRET_BYTES_MAX
          ? unavailable(SecretTrouble.TOO_LARGE)
          : SecretVault.checked(
              StandardCharsets.UTF_8
                  .newDecoder()
                  .decode(ByteBuffer.wrap(bytes))
                  .toString()
                  .stripTrailing());
    } catch (CharacterCodingException _) {
      return unavailable(SecretTrouble.NO_TEXT);
    } catch (NoSuchFileException _) {
      return unavailable(SecretTrouble.UNKNOWN);
    } catch (IOException | SecurityException _) {
      return unavailable(SecretTrouble.NO_RIGHT);
    }
  }

  private static Fetched unavailable(SecretTrouble why) {
    return new Fetched.Unavailable(why);
  }
}
