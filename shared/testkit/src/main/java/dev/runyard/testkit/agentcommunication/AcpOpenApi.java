package dev.runyard.testkit.agentcommunication;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Schema;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.needs.Standards;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/// The protocol's own OpenAPI file, with corrections: parameters that name no part of their path
/// are fixed; agents' names may have underscores, and messages may have no parts, as the protocol's
/// own clients send them.
final class AcpOpenApi {
  private static final ObjectNode FILE = patched(parse(Standards.file("acp/openapi.yaml")));
  private static final Map<String, Schema> READ = new ConcurrentHashMap<>();

  private AcpOpenApi() {}

  static List<String> errors(String name, JsonNode body) {
    return AcpSchemas.errors(READ.computeIfAbsent(name, AcpOpenApi::schema), body);
  }

  private static Schema schema(String name) {
    ObjectNode schema = FILE.deepCopy();
    schema.retain("components");
    return AcpSchemas.schema(schema.put("$ref", "#/components/schemas/" + name));
  }

  static List<String> operations() {
    return FILE.path("paths").properties().stream()
        .flatMap(
            path ->
                path.getValue().properties().stream()
                    .map(method -> method.getKey().toUpperCase(Locale.ROOT))
                    .map(method -> method + " " + path.getKey()))
        .toList();
  }

  private static ObjectNode parse(Path file) {
    try {
      Object yaml = new Load(LoadSettings.builder().build()).loadFromString(Files.readString(file));
      return JsonFormat.JSON.valueToTree(yaml);
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
