package dev.runyard.local;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// The file that stands for Secrets Manager and SSM on this machine: a JSON object of names and
/// values, which only its owner may use. A name that begins with a slash is a parameter of SSM, any
/// other the name or ARN of a secret. No message repeats a value.
public final class SecretsFile {
  /// Of the whole file.
  static final int FILE_BYTES_MAX = 1024 * 1024;

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();
  private static final Set<PosixFilePermission> OWNERS =
      Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

  private SecretsFile() {}

  /// Values by name.
  ///
  /// @throws IllegalArgumentException saying what to change
  public static Map<String, String> read(Path file) {
    try {
      if (!OWNERS.containsAll(Files.getPosixFilePermissions(file))) {
        throw new IllegalArgumentException(
            "the secrets in %s may be used by others; chmod 600 it".formatted(file));
      }
      byte[] bytes;
      try (InputStream in = Files.newInputStream(file)) {
        bytes = in.readNBytes(FILE_BYTES_MAX + 1);
      }
      if (bytes.length > FILE_BYTES_MAX) {
        throw new IllegalArgumentException(
            "%s has more than %d bytes".formatted(file, FILE_BYTES_MAX));
      }
      return values(file, JSON.readTree(bytes));
    } catch (JacksonException _) {
      throw new IllegalArgumentException(file + " is no JSON");
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  private static Map<String, String> values(Path file, JsonNode json) {
    Map<String, String> values = new TreeMap<>();
    if (!json.isObject()) {
      throw new IllegalArgumentException(file + " is no JSON object of names and values");
    }
    for (Map.Entry<String, JsonNode> entry : json.properties()) {
      if (!entry.getValue().isTextual() || entry.getKey().isBlank()) {
        throw new IllegalArgumentException(
            "in %s, %s must be a name with a text".formatted(file, entry.getKey()));
      }
      values.put(entry.getKey(), entry.getValue().textValue());
    }
    return values;
  }
}
