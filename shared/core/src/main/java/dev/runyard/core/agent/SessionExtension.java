package dev.runyard.core.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// `{"selector": "last"}` or `{"selector": "id", "id": "..."}`, closed: one of the agent's own
/// conversations.
record SessionExtension() implements ExtensionType {
  static final int ID_BYTES_MAX = 1024;
  private static final Set<String> MEMBERS = Set.of("selector", "id");
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_]{1,64}");
  private static final ExtensionType SELECTOR = new ExtensionType.Choice(List.of("last", "id"));
  private static final ExtensionType ID = new ExtensionType.Text(ID_BYTES_MAX);

  @Override
  public Checked check(String key, JsonNode value) {
    if (!value.isObject()) {
      return new Checked.Invalid(key + " must be an object");
    }
    Optional<String> unknown =
        value.properties().stream()
            .map(Map.Entry::getKey)
            .filter(name -> !MEMBERS.contains(name))
            .findFirst();
    if (unknown.isPresent()) {
      String name = NAME.matcher(unknown.get()).matches() ? unknown.get() : "(not a name)";
      return new Checked.Invalid("%s has unknown key: %s".formatted(key, name));
    }
    if (!value.has("selector")) {
      return new Checked.Invalid(key + ".selector is required");
    }
    return switch (SELECTOR.check(key + ".selector", value.get("selector"))) {
      case Checked.Invalid invalid -> invalid;
      case Checked.Valid selector ->
          selector.value().textValue().equals("id") ? byId(key, value) : last(key, value);
    };
  }

  private static Checked last(String key, JsonNode value) {
    return value.has("id")
        ? new Checked.Invalid(key + ".id must be absent when selector is last")
        : new Checked.Valid(value);
  }

  private static Checked byId(String key, JsonNode value) {
    if (!value.has("id")) {
      return new Checked.Invalid(key + ".id is required when selector is id");
    }
    return switch (ID.check(key + ".id", value.get("id"))) {
      case Checked.Invalid invalid -> invalid;
      case Checked.Valid id ->
          new Checked.Valid(
              JsonNodeFactory.instance.objectNode().put("selector", "id").set("id", id.value()));
    };
  }

  @Override
  public ObjectNode schema() {
    ObjectNode schema = JsonNodeFactory.instance.objectNode().put("type", "object");
    ObjectNode properties = schema.putObject("properties");
    properties.set("selector", SELECTOR.schema());
    properties.set("id", ID.schema());
    schema.putArray("required").add("selector");
    schema.put("additionalProperties", false);
    ObjectNode byId = schema.putObject("if");
    byId.putObject("properties").putObject("selector").put("const", "id");
    schema.putObject("then").putArray("required").add("id");
    schema.putObject("else").putObject("properties").put("id", false);
    return schema;
  }
}
