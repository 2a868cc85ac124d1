package dev.runyard.testkit.agentcommunication;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.needs.Outside;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/// Checks responses of the Agent Communication Protocol: with our own schema, which is always
/// present and has every member, and with the protocol's file if that is present.
public final class AcpSchemas {
  private static final ObjectNode OWN = own();
  private static final Map<String, Schema> READ = new ConcurrentHashMap<>();

  private AcpSchemas() {}

  /// Fails with what the body of a response violates.
  ///
  /// @param name of a schema of the protocol, such as `Run`
  public static void check(String name, JsonNode body) {
    assertEquals(List.of(), errors(name, body), () -> name + ": " + body);
  }

  /// What a body violates.
  public static List<String> errors(String name, JsonNode body) {
    return Stream.concat(
            ownErrors(name, body).stream(),
            Outside.STANDARDS.isPresent()
                ? AcpOpenApi.errors(name, body).stream()
                : Stream.<String>empty())
        .toList();
  }

  static List<String> ownErrors(String name, JsonNode body) {
    return errors(READ.computeIfAbsent(name, AcpSchemas::own), body);
  }

  private static Schema own(String name) {
    if (!OWN.path("$defs").has(name)) {
      throw new IllegalArgumentException("no schema " + name);
    }
    return schema(OWN.deepCopy().put("$ref", "#/$defs/" + name));
  }

  static Schema schema(ObjectNode schema) {
    return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12).getSchema(schema);
  }

  static List<String> errors(Schema schema, JsonNode body) {
    return schema
        .validate(
            body,
            run -> run.executionConfig(config -> config.formatAssertionsEnabled(Boolean.TRUE)))
        .stream()
        .map(Error::toString)
        .toList();
  }

  /// The operations a client of the protocol calls, as `GET /ping`.
  public static List<String> operations() {
    return List.of(
        "GET /ping",
        "GET /agents",
        "GET /agents/{name}",
        "POST /runs",
        "GET /runs/{run_id}",
        "POST /runs/{run_id}",
        "POST /runs/{run_id}/cancel",
        "GET /runs/{run_id}/events",
        "GET /session/{session_id}");
  }

  private static ObjectNode own() {
    try (InputStream in = AcpSchemas.class.getResourceAsStream("answers.schema.json")) {
      return (ObjectNode) JsonFormat.JSON.readTree(Objects.requireNonNull(in));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
