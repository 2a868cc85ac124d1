package dev.runyard.testkit.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The schemas of a description, each found by where it stands. The registry reads the whole
/// document again for each place it is asked for, and keeps it; so it is asked for the document,
/// once, and that for each place.
final class DescribedSchemas {
  private final String id;
  private final Schema document;
  private final Map<String, Schema> found = new ConcurrentHashMap<>();

  private DescribedSchemas(String id, ObjectNode document) {
    this.id = id;
    document.put("$id", id).put("$schema", "https://json-schema.org/draft/2020-12/schema");
    this.document =
        SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
            .getSchema(SchemaLocation.of(id), document);
  }

  /// As they are described.
  static DescribedSchemas open(JsonNode document) {
    return new DescribedSchemas("urn:described", document.deepCopy());
  }

  /// As what describes all of an answer: clients must expect members that are not described, but
  /// nothing may be answered that is not.
  static DescribedSchemas closed(JsonNode document) {
    ObjectNode closed = document.deepCopy();
    close(closed);
    return new DescribedSchemas("urn:described:closed", closed);
  }

  private static void close(JsonNode node) {
    if (node instanceof ObjectNode schema
        && schema.path("type").toString().contains("\"object\"")
        && schema.path("properties").isObject()
        && !schema.has("additionalProperties")) {
      schema.put("additionalProperties", false);
    }
    node.forEach(DescribedSchemas::close);
  }

  /// What a value violates of the schema at a pointer into the description.
  List<String> errors(String pointer, JsonNode value) {
    if (value.isMissingNode()) {
      return List.of("it is no JSON");
    }
    return found
        .computeIfAbsent(
            pointer, at -> document.getRefSchema(SchemaLocation.of(id + "#" + at).getFragment()))
        .validate(value)
        .stream()
        .map(Error::toString)
        .toList();
  }
}
