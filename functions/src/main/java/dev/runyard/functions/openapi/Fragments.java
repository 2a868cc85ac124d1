package dev.runyard.functions.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.json.JsonFormat;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The files of the description: `base.json` with what all operations share, and the fragments that
/// `index.json` lists. What a fragment repeats from elsewhere is written as a reference into
/// `x-examples` or `x-responses`, and put in here.
final class Fragments {
  private static final String REF = "$ref";
  private static final String EXAMPLES = "#/x-examples/";
  private static final String RESPONSES = "#/x-responses/";

  private final ObjectNode base;
  private final List<ObjectNode> all = new ArrayList<>();

  private Fragments(ObjectNode base) {
    this.base = base;
  }

  static Fragments read() {
    Fragments fragments = new Fragments((ObjectNode) read("base.json"));
    for (JsonNode name : read("index.json")) {
      fragments.all.add((ObjectNode) read(name.textValue()));
    }
    return fragments;
  }

  ObjectNode base() {
    return base;
  }

  /// The members of `name`, such as `paths`, of all files together. A name that two of them have is
  /// a mistake.
  ObjectNode together(String name) {
    ObjectNode members = JsonFormat.JSON.createObjectNode();
    merge(members, base.path(name));
    all.forEach(fragment -> merge(members, fragment.path(name)));
    return members;
  }

  private static void merge(ObjectNode into, JsonNode from) {
    for (Map.Entry<String, JsonNode> member : from.properties()) {
      if (into.has(member.getKey())) {
        throw new IllegalStateException("described twice: " + member.getKey());
      }
      into.set(member.getKey(), member.getValue());
    }
  }

  /// The value with what its references into the fragments stand for.
  JsonNode resolved(JsonNode value) {
    return resolved(value, together("examples"), together("responses"));
  }

  private static JsonNode resolved(JsonNode value, ObjectNode examples, ObjectNode responses) {
    String ref = value.path(REF).asText();
    if (ref.startsWith(EXAMPLES)) {
      return resolved(
          examples.required(ref.substring(EXAMPLES.length())).deepCopy(), examples, responses);
    }
    if (ref.startsWith(RESPONSES)) {
      return resolved(
          responses.required(ref.substring(RESPONSES.length())).deepCopy(), examples, responses);
    }
    if (value instanceof ObjectNode object) {
      object.properties().forEach(m -> m.setValue(resolved(m.getValue(), examples, responses)));
    } else if (value instanceof ArrayNode list) {
      for (int i = 0; i < list.size(); i++) {
        list.set(i, resolved(list.get(i), examples, responses));
      }
    }
    return value;
  }

  private static JsonNode read(String name) {
    try (InputStream file = Fragments.class.getResourceAsStream(name)) {
      if (file == null) {
        throw new IllegalStateException("there is no fragment " + name);
      }
      return JsonFormat.JSON.readTree(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
