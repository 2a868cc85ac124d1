package dev.runyard.local.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// A SAM template with its parameters and conditions evaluated: the resources of this stack and a
/// way to resolve their properties. Globals are already merged into the functions.
public final class Template {
  private static final String FUNCTION = "AWS::Serverless::Function";

  private final Parameters parameters;
  private final Conditions conditions;
  private final JsonNode mappings;
  private final Map<String, Resource> resources = new LinkedHashMap<>();

  private Template(JsonNode document, Map<String, String> overrides) {
    parameters = new Parameters(document.path("Parameters"), overrides);
    conditions =
        new Conditions(document.path("Conditions"), node -> resolve(node, new OnlyParameters()));
    mappings = document.path("Mappings");
    JsonNode globals = document.path("Globals").path("Function");
    for (Map.Entry<String, JsonNode> entry : document.path("Resources").properties()) {
      JsonNode declaration = entry.getValue();
      JsonNode condition = declaration.path("Condition");
      if (condition.isTextual() && !conditions.holds(condition.textValue())) {
        continue;
      }
      String type = declaration.path("Type").asText();
      JsonNode properties = declaration.path("Properties");
      if (type.equals(FUNCTION)) {
        properties = merge(globals, properties);
      }
      resources.put(entry.getKey(), new Resource(entry.getKey(), type, properties));
    }
    if (resources.isEmpty()) {
      throw new TemplateException("the template declares no resources");
    }
  }

  /// Reads a template from its text.
  ///
  /// @param overrides values of parameters by name
  public static Template parse(String yaml, Map<String, String> overrides) {
    return new Template(TemplateYaml.parse(yaml), overrides);
  }

  public static Template read(Path file, Map<String, String> overrides) {
    try {
      return parse(Files.readString(file), overrides);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the template " + file, e);
    }
  }

  /// The names of the parameters a template declares.
  public static Set<String> parameterNames(String yaml) {
    return TemplateYaml.parse(yaml)
        .path("Parameters")
        .propertyStream()
        .map(Map.Entry::getKey)
        .collect(Collectors.toUnmodifiableSet());
  }

  /// By logical id, in the template's order.
  public Map<String, Resource> resources() {
    return Collections.unmodifiableMap(resources);
  }

  /// The value of a parameter: text, or a list for the list types.
  public Optional<JsonNode> parameter(String name) {
    return parameters.value(name);
  }

  /// Evaluates the intrinsic functions in `node`; the missing node when nothing is left of it.
  public JsonNode resolve(JsonNode node, References references) {
    return new Intrinsics(references, conditions, mappings).resolve(node);
  }

  /// SAM's rule for globals: maps merge, lists join, and for anything else the function wins.
  private static JsonNode merge(JsonNode global, JsonNode own) {
    if (own.isMissingNode()) {
      return global;
    }
    if (global.isObject() && own.isObject()) {
      ObjectNode merged = ((ObjectNode) global).deepCopy();
      own.properties()
          .forEach(e -> merged.set(e.getKey(), merge(global.path(e.getKey()), e.getValue())));
      return merged;
    }
    if (global.isArray() && own.isArray()) {
      var merged = JsonNodeFactory.instance.arrayNode();
      global.forEach(merged::add);
      own.forEach(merged::add);
      return merged;
    }
    return own;
  }

  private final class OnlyParameters implements References {
    @Override
    public JsonNode ref(String name) {
      return parameters
          .value(name)
          .or(() -> PseudoParameters.value(name))
          .orElseThrow(() -> new TemplateException("a condition may not refer to " + name));
    }

    @Override
    public JsonNode attribute(String logicalId, String attribute) {
      throw new TemplateException("a condition may not refer to " + logicalId);
    }
  }
}
