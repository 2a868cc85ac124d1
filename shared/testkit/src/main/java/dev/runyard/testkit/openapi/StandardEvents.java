package dev.runyard.testkit.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.runyard.needs.Standards;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The events and sessions in the standard's form that tests read, held against the schemas that it
/// publishes, where those are at hand. Types that a newer release may write are not looked at: the
/// standard's list of types is closed.
final class StandardEvents {
  private static final String EVENT = "agent-runtime/agentruntime-event.schema.json";
  private static final String SESSION = "agent-runtime/agentruntime-snapshot.schema.json";

  /// Types by which tests stand for those of a newer release.
  private static final String UNKNOWN = "future.";

  private static final Optional<Schema> EVENTS = Standards.present(EVENT).map(StandardEvents::read);

  private static final Optional<Schema> SESSIONS =
      Standards.present(SESSION).map(StandardEvents::read);

  private StandardEvents() {}

  private static Schema read(Path file) {
    try {
      return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
          .getSchema(Files.readString(file), InputFormat.JSON);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// What is wrong with the events of a page, or with one of a stream.
  static List<String> errors(JsonNode answer) {
    List<String> errors = new ArrayList<>();
    EVENTS.ifPresent(
        schema -> {
          for (JsonNode event : answer.path("events")) {
            add(schema, event, errors);
          }
          for (JsonNode fact : answer.path("told")) {
            add(schema, fact, errors);
          }
          add(schema, answer, errors);
        });
    if (answer.has("schemaVersion") && answer.has("threads")) {
      SESSIONS.ifPresent(
          schema ->
              schema.validate(answer).stream()
                  .map(error -> "session of the standard: " + error)
                  .forEach(errors::add));
    }
    return errors;
  }

  private static void add(Schema schema, JsonNode event, List<String> errors) {
    String type = event.path("type").asText();
    if (event.has("eventId") && event.has("runtimeId") && !type.startsWith(UNKNOWN)) {
      schema.validate(event).stream()
          .map(Error::toString)
          .map(error -> type + " of the standard: " + error)
          .forEach(errors::add);
    }
  }
}
