package dev.runyard.local.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Evaluates CloudFormation's intrinsic functions. A missing node stands for `AWS::NoValue`: the
/// property or list entry with it is removed.
final class Intrinsics {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^}]+)}");

  private final References references;
  private final Conditions conditions;
  private final JsonNode mappings;

  Intrinsics(References references, Conditions conditions, JsonNode mappings) {
    this.references = references;
    this.conditions = conditions;
    this.mappings = mappings;
  }

  JsonNode resolve(JsonNode node) {
    if (node.isArray()) {
      ArrayNode resolved = JSON.arrayNode();
      node.forEach(item -> addUnlessMissing(resolved, resolve(item)));
      return resolved;
    }
    if (!node.isObject()) {
      return node;
    }
    if (node.size() == 1) {
      Map.Entry<String, JsonNode> only = node.properties().iterator().next();
      if (only.getKey().equals("Ref") || only.getKey().startsWith("Fn::")) {
        return call(only.getKey(), only.getValue());
      }
    }
    ObjectNode resolved = JSON.objectNode();
    for (Map.Entry<String, JsonNode> field : node.properties()) {
      JsonNode value = resolve(field.getValue());
      if (!value.isMissingNode()) {
        resolved.set(field.getKey(), value);
      }
    }
    return resolved;
  }

  private JsonNode call(String function, JsonNode argument) {
    return switch (function) {
      case "Ref" -> references.ref(argument.asText());
      case "Fn::GetAtt" -> attribute(argument);
      case "Fn::Sub" -> substitute(argument);
      case "Fn::If" -> {
        List<JsonNode> branches = arguments(function, argument, 3);
        yield resolve(
            conditions.holds(branches.get(0).asText()) ? branches.get(1) : branches.get(2));
      }
      case "Fn::Join" -> {
        List<JsonNode> parts = arguments(function, argument, 2);
        List<String> texts = new ArrayList<>();
        resolve(parts.get(1)).forEach(item -> texts.add(text(function, item)));
        yield JSON.textNode(String.join(parts.get(0).asText(), texts));
      }
      case "Fn::Select" -> {
        List<JsonNode> parts = arguments(function, argument, 2);
        JsonNode chosen = resolve(parts.get(1)).path(resolve(parts.get(0)).asInt(-1));
        yield require(chosen, "Fn::Select is outside its list");
      }
      case "Fn::Split" -> {
        List<JsonNode> parts = arguments(function, argument, 2);
        ArrayNode pieces = JSON.arrayNode();
        String separator = Pattern.quote(parts.get(0).asText());
        for (String piece : text(function, resolve(parts.get(1))).split(separator, -1)) {
          pieces.add(piece);
        }
        yield pieces;
      }
      case "Fn::FindInMap" -> {
        List<JsonNode> keys = arguments(function, argument, 3);
        JsonNode found = mappings;
        for (JsonNode key : keys) {
          found = found.path(resolve(key).asText());
        }
        yield require(found, "Fn::FindInMap finds nothing");
      }
      case "Fn::Base64" -> {
        byte[] bytes = text(function, resolve(argument)).getBytes(StandardCharsets.UTF_8);
        yield JSON.textNode(Base64.getEncoder().encodeToString(bytes));
      }
      case "Fn::ToJsonString" -> JSON.textNode(resolve(argument).toString());
      default -> throw new TemplateException(function + " is not supported locally");
    };
  }

  private JsonNode attribute(JsonNode argument) {
    if (argument.isTextual()) {
      String path = argument.textValue();
      int dot = path.indexOf('.');
      return references.attribute(path.substring(0, Math.max(dot, 0)), path.substring(dot + 1));
    }
    List<JsonNode> parts = arguments("Fn::GetAtt", argument, 2);
    return references.attribute(parts.get(0).asText(), resolve(parts.get(1)).asText());
  }

  private JsonNode substitute(JsonNode argument) {
    JsonNode variables = JSON.objectNode();
    JsonNode pattern = argument;
    if (argument.isArray()) {
      List<JsonNode> parts = arguments("Fn::Sub", argument, 2);
      pattern = parts.get(0);
      variables = parts.get(1);
    }
    StringBuilder text = new StringBuilder();
    Matcher matcher = PLACEHOLDER.matcher(pattern.asText());
    while (matcher.find()) {
      matcher.appendReplacement(
          text, Matcher.quoteReplacement(placeholder(matcher.group(1), variables)));
    }
    matcher.appendTail(text);
    return JSON.textNode(text.toString());
  }

  private String placeholder(String name, JsonNode variables) {
    if (name.startsWith("!")) {
      return "${" + name.substring(1) + "}";
    }
    if (variables.has(name)) {
      return text("Fn::Sub", resolve(variables.get(name)));
    }
    int dot = name.indexOf('.');
    JsonNode value =
        dot < 0
            ? references.ref(name)
            : references.attribute(name.substring(0, dot), name.substring(dot + 1));
    return text("Fn::Sub", value);
  }

  private static String text(String function, JsonNode value) {
    if (!value.isValueNode() || value.isNull()) {
      throw new TemplateException(function + " needs text, not " + value.getNodeType());
    }
    return value.asText();
  }

  private static List<JsonNode> arguments(String function, JsonNode argument, int count) {
    if (!argument.isArray() || argument.size() != count) {
      throw new TemplateException(function + " needs a list of " + count);
    }
    List<JsonNode> arguments = new ArrayList<>();
    argument.forEach(arguments::add);
    return arguments;
  }

  private static JsonNode require(JsonNode found, String problem) {
    if (found.isMissingNode()) {
      throw new TemplateException(problem);
    }
    return found;
  }

  private static void addUnlessMissing(ArrayNode array, JsonNode value) {
    if (!(value instanceof MissingNode)) {
      array.add(value);
    }
  }
}
