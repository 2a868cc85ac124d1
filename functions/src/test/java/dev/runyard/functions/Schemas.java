package dev.runyard.functions;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.runyard.core.json.JsonFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The schemas the project publishes, by their ids.
public final class Schemas {
  private static final Path FOLDER = Path.of("..", "docs", "schemas");
  private static final SchemaRegistry REGISTRY =
      SchemaRegistry.withDefaultDialect(
          SpecificationVersion.DRAFT_2020_12, builder -> builder.schemas(byId()));

  private Schemas() {}

  /// A schema of docs/schemas.
  public static Schema published(String name) {
    return REGISTRY.getSchema(read(FOLDER.resolve(name + ".schema.json")));
  }

  public static Schema of(JsonNode schema) {
    return REGISTRY.getSchema(schema);
  }

  /// Fails with what the value violates.
  public static void check(Schema schema, JsonNode value) {
    assertEquals(List.of(), errors(schema, value), value::toString);
  }

  public static List<String> errors(Schema schema, JsonNode value) {
    return schema.validate(value).stream().map(Error::toString).toList();
  }

  private static Map<String, String> byId() {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files
          .map(Schemas::read)
          .collect(Collectors.toMap(s -> s.path("$id").textValue(), JsonNode::toString));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JsonNode read(Path file) {
    try {
      return JsonFormat.JSON.readTree(file.toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
