package dev.runyard.core.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.limits.Bounds;

/// `{"dirs": [...]}`, closed: 1 to [#DIRS_MAX] paths of 1 to [#DIR_BYTES_MAX] bytes each, without
/// surrounding white space. Only a runner can know whether they exist; nothing in them is expanded.
record DirsExtension() implements ExtensionType {
  static final int DIRS_MAX = 16;
  static final int DIR_BYTES_MAX = 1024;
  private static final String DIRS = "dirs";

  @Override
  public Checked check(String key, JsonNode value) {
    boolean closed = value.properties().stream().allMatch(member -> member.getKey().equals(DIRS));
    if (!value.isObject() || !closed) {
      return new Checked.Invalid("invalid " + key);
    }
    JsonNode dirs = value.path(DIRS);
    if (!dirs.isArray() || dirs.isEmpty() || dirs.size() > DIRS_MAX) {
      return new Checked.Invalid("invalid %s.dirs".formatted(key));
    }
    ObjectNode trimmed = JsonNodeFactory.instance.objectNode();
    ArrayNode list = trimmed.putArray(DIRS);
    for (JsonNode dir : dirs) {
      String path = dir.isTextual() ? dir.textValue().strip() : "";
      if (path.isEmpty() || Bounds.bytes(path) > DIR_BYTES_MAX || path.indexOf('\0') >= 0) {
        return new Checked.Invalid("invalid %s.dirs[%d]".formatted(key, list.size()));
      }
      list.add(path);
    }
    return new Checked.Valid(trimmed);
  }

  @Override
  public ObjectNode schema() {
    ObjectNode schema = JsonNodeFactory.instance.objectNode().put("type", "object");
    ObjectNode dirs = schema.putObject("properties").putObject(DIRS);
    dirs.put("type", "array").put("minItems", 1).put("maxItems", DIRS_MAX);
    dirs.putObject("items")
        .put("type", "string")
        .put("minLength", 1)
        .put("maxLength", DIR_BYTES_MAX)
        .put("pattern", "\\S");
    schema.putArray("required").add(DIRS);
    return schema.put("additionalProperties", false);
  }
}
