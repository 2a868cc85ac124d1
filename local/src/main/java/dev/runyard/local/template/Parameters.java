package dev.runyard.local.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The template's `Parameters` with their values: the override, else the default. A value that the
/// template does not allow is refused, as in a deployment, but not for its length: documents are
/// short there because a function's variables share 4 KB, and here they do not.
final class Parameters {
  private final Map<String, JsonNode> values = new LinkedHashMap<>();

  Parameters(JsonNode declared, Map<String, String> overrides) {
    for (String name : overrides.keySet()) {
      if (!declared.has(name)) {
        throw new TemplateException(
            "the template has no parameter %s; it has %s"
                .formatted(name, String.join(", ", names(declared))));
      }
    }
    for (Map.Entry<String, JsonNode> parameter : declared.properties()) {
      String name = parameter.getKey();
      values.put(name, value(name, parameter.getValue(), Optional.ofNullable(overrides.get(name))));
    }
  }

  private static List<String> names(JsonNode declared) {
    return declared.properties().stream().map(Map.Entry::getKey).toList();
  }

  Optional<JsonNode> value(String name) {
    return Optional.ofNullable(values.get(name));
  }

  private static JsonNode value(String name, JsonNode declaration, Optional<String> override) {
    String type = declaration.path("Type").asText();
    String text = override.orElseGet(() -> fallback(name, type, declaration));
    check(name, type, text, declaration);
    if (!type.equals("CommaDelimitedList") && !type.startsWith("List<")) {
      return JsonNodeFactory.instance.textNode(text);
    }
    ArrayNode list = JsonNodeFactory.instance.arrayNode();
    for (String item : text.split(",", -1)) {
      list.add(item.strip());
    }
    return list;
  }

  /// A resource that exists only on AWS, such as a subnet, is named after its parameter.
  private static String fallback(String name, String type, JsonNode declaration) {
    if (declaration.has("Default")) {
      return declaration.get("Default").asText();
    }
    if (type.contains("AWS::")) {
      return "local-" + name;
    }
    throw new TemplateException("the parameter " + name + " has no default and was given no value");
  }

  private static void check(String name, String type, String text, JsonNode declaration) {
    JsonNode allowed = declaration.path("AllowedValues");
    if (allowed.isArray() && allowed.valueStream().noneMatch(v -> v.asText().equals(text))) {
      throw new TemplateException("the parameter " + name + " allows " + allowed + ", not " + text);
    }
    JsonNode pattern = declaration.path("AllowedPattern");
    if (pattern.isTextual() && !text.matches(pattern.textValue())) {
      throw new TemplateException("the parameter " + name + " must match " + pattern);
    }
    if (type.equals("Number")) {
      checkRange(name, text, declaration);
    }
  }

  private static void checkRange(String name, String text, JsonNode declaration) {
    BigDecimal number;
    try {
      number = new BigDecimal(text);
    } catch (NumberFormatException e) {
      throw new TemplateException("the parameter " + name + " must be a number, not " + text, e);
    }
    JsonNode least = declaration.path("MinValue");
    JsonNode most = declaration.path("MaxValue");
    if ((least.isNumber() && number.compareTo(least.decimalValue()) < 0)
        || (most.isNumber() && number.compareTo(most.decimalValue()) > 0)) {
      throw new TemplateException(
          "the parameter " + name + " is " + text + ", outside " + least + " to " + most);
    }
  }
}
