package dev.runyard.testkit.acp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Error;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.runyard.core.event.EventCodec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/// The protocol's own OpenAPI file, which lies beside the repository where it is there at all. Its
/// parameters that name no part of their path are mended; agents' names may have underscores, and
/// messages no parts, as the protocol's own clients send them.
public final class AcpSchemas {
  private static final Optional<ObjectNode> OPENAPI = read();
  private static final String PART_OF_FILE = "#/components/schemas/";

  private AcpSchemas() {}

  /// Fails with what the body of an answer violates.
  ///
  /// @param name of a schema of the file, such as `Run`
  public static void check(String name, JsonNode body) {
    assertEquals(List.of(), errors(name, body), () -> name + ": " + body);
  }

  /// What a body violates; nothing where the file is absent.
  public static List<String> errors(String name, JsonNode body) {
    if (OPENAPI.isEmpty()) {
      return List.of();
    }
    ObjectNode schema = OPENAPI.get().deepCopy();
    schema.retain("components");
    schema.put("$ref", PART_OF_FILE + name);
    return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
        .getSchema(schema)
        .validate(
            body,
            run -> run.executionConfig(config -> config.formatAssertionsEnabled(Boolean.TRUE)))
        .stream()
        .map(Error::toString)
        .toList();
  }

  /// True where there is no such file, and nothing can be checked.
  public static boolean isAbsent() {
    return OPENAPI.isEmpty();
  }

  /// The operations of the file, as `GET /ping`; empty where the file is absent.
  public static List<String> operations() {
    return OPENAPI.stream()
        .flatMap(file -> file.path("paths").properties().stream())
        .flatMap(
            path ->
                path.getValue().properties().stream()
                    .map(method -> method.getKey().toUpperCase(Locale.ROOT))
                    .map(method -> method + " " + path.getKey()))
        .toList();
  }

  private static Optional<ObjectNode> read() {
    Path at = Path.of("").toAbsolutePath();
    while (at != null) {
      Path file = at.resolveSibling("shared").resolve("data").resolve("acp/openapi.yaml");
      if (Files.isRegularFile(file)) {
        return Optional.of(patched(parse(file)));
      }
      at = at.getParent();
    }
    System.out.println("answers are not checked: there is no shared/data/acp/openapi.yaml here");
    return Optional.empty();
  }

  private static ObjectNode parse(Path file) {
    try {
      Object yaml = new Load(LoadSettings.builder().build()).loadFromString(Files.readString(file));
      return EventCodec.JSON.valueToTree(yaml);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ObjectNode patched(ObjectNode file) {
    JsonNode paths = file.path("paths");
    ObjectNode resume = (ObjectNode) paths.at("/~1runs~1{run_id}/post");
    resume.set("parameters", paths.at("/~1runs~1{run_id}/get/parameters"));
    ((ObjectNode) paths.at("/~1session~1{session_id}/get/parameters/0")).put("name", "session_id");
    ObjectNode schemas = (ObjectNode) file.at("/components/schemas");
    ((ObjectNode) schemas.path("AgentName")).put("pattern", "^[a-z0-9]([-_a-z0-9]*[a-z0-9])?$");
    ((ObjectNode) schemas.at("/Message/properties/parts")).remove("minItems");
    return file;
  }
}
