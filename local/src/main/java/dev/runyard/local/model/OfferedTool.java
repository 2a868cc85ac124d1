package dev.runyard.local.model;

import com.fasterxml.jackson.databind.JsonNode;

/// A tool the agent CLI offers to the model.
///
/// @param namespace the group the tool belongs to, empty when it has none
/// @param schema JSON Schema of the arguments, an empty object when the form needs none
public record OfferedTool(String namespace, String name, Form form, JsonNode schema) {

  /// How a call of the tool is written.
  public enum Form {
    /// A JSON object that fits the schema.
    FUNCTION,
    /// Plain text.
    FREE_FORM,
    /// A command as a list of words, without a schema.
    LOCAL_SHELL
  }

  /// The name in a script: `namespace.name`, or just `name`.
  String qualifiedName() {
    return namespace.isEmpty() ? name : namespace + "." + name;
  }
}
