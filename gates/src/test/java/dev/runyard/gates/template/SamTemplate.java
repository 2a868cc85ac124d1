package dev.runyard.gates.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.gates.Repository;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/// The deployment template as JSON, with `!Ref x` read as `{Ref: x}` and any other tag as
/// `{Fn::Tag: value}`. Scalars keep their YAML text: `true` and `10` are strings here.
public record SamTemplate(JsonNode root) {

  static final String FILE = "template.yaml";

  private static final Pattern SUBSTITUTED = Pattern.compile("\\$\\{([A-Za-z0-9]+)[.}]");

  public static SamTemplate of(Repository repository) {
    var settings = LoadSettings.builder().build();
    return new SamTemplate(
        json(new Compose(settings).composeString(repository.text(FILE)).orElseThrow()));
  }

  JsonNode properties(String resource) {
    return root.path("Resources").path(resource).path("Properties");
  }

  JsonNode parameter(String name) {
    return root.path("Parameters").path(name);
  }

  /// Properties of each resource of a type, by logical id.
  Map<String, JsonNode> ofType(String type) {
    var found = new TreeMap<String, JsonNode>();
    for (var resource : root.path("Resources").properties()) {
      if (resource.getValue().path("Type").asText().equals(type)) {
        found.put(resource.getKey(), resource.getValue().path("Properties"));
      }
    }
    return found;
  }

  /// Properties of each function, by logical id.
  public Map<String, JsonNode> functions() {
    return ofType("AWS::Serverless::Function");
  }

  /// The routes of all functions, as `GET /ping`.
  Map<String, JsonNode> routes() {
    var routes = new TreeMap<String, JsonNode>();
    functions().values().forEach(function -> routes.putAll(routes(function)));
    return routes;
  }

  static Map<String, JsonNode> routes(JsonNode function) {
    var routes = new TreeMap<String, JsonNode>();
    for (var event : function.path("Events")) {
      if (event.path("Type").asText().equals("Api")) {
        var route = event.path("Properties");
        routes.put(route.path("Method").asText() + " " + route.path("Path").asText(), route);
      }
    }
    return routes;
  }

  /// The variables a function is given: the common ones and its own.
  Map<String, JsonNode> environment(JsonNode function) {
    var all = new TreeMap<String, JsonNode>();
    for (var from : new JsonNode[] {root.at("/Globals/Function"), function}) {
      from.at("/Environment/Variables")
          .properties()
          .forEach(variable -> all.put(variable.getKey(), variable.getValue()));
    }
    return all;
  }

  JsonNode runnerContainer() {
    return properties("RunnerTask").path("ContainerDefinitions").path(0);
  }

  /// The parameters a value depends on, also by what it is a condition of.
  Set<String> parameters(JsonNode value) {
    var found = references(value);
    for (var name : List.copyOf(found)) {
      found.addAll(parameters(root.path("Conditions").path(name)));
    }
    found.removeIf(name -> parameter(name).isMissingNode());
    return found;
  }

  /// Resources, parameters and conditions that a value refers to at any depth; pseudo parameters
  /// are left out.
  static Set<String> references(JsonNode value) {
    var found = new TreeSet<String>();
    collect(value, found);
    found.removeIf(name -> name.startsWith("AWS::"));
    return found;
  }

  private static void collect(JsonNode value, Set<String> found) {
    for (var entry : value.properties()) {
      var argument = entry.getValue();
      switch (entry.getKey()) {
        case "Ref", "DependsOn", "Condition" -> found.addAll(texts(argument));
        case "Fn::If" -> found.add(argument.path(0).asText());
        case "Fn::GetAtt" -> found.add(first(argument).split("\\.", 2)[0]);
        case "Fn::Sub" ->
            SUBSTITUTED.matcher(first(argument)).results().forEach(m -> found.add(m.group(1)));
        default -> {}
      }
    }
    value.forEach(inner -> collect(inner, found));
  }

  /// What a text says, or each of a list of them; a condition of a policy says none.
  static List<String> texts(JsonNode value) {
    if (value.isTextual()) {
      return List.of(value.asText());
    }
    var texts = new ArrayList<String>();
    if (value.isArray()) {
      value.forEach(item -> texts.addAll(texts(item)));
    }
    return texts;
  }

  /// The values of a list, or a single one, whichever way each of its conditions goes.
  static List<JsonNode> branches(JsonNode value) {
    var branches = new ArrayList<JsonNode>();
    if (value.isArray()) {
      value.forEach(item -> branches.addAll(branches(item)));
    } else if (value.has("Fn::If")) {
      branches.addAll(branches(value.at("/Fn::If/1")));
      branches.addAll(branches(value.at("/Fn::If/2")));
    } else if (!value.isMissingNode() && !value.path("Ref").asText().equals("AWS::NoValue")) {
      branches.add(value);
    }
    return branches;
  }

  private static String first(JsonNode argument) {
    return argument.isArray() ? argument.path(0).asText() : argument.asText();
  }

  private static JsonNode json(Node node) {
    var factory = JsonNodeFactory.instance;
    JsonNode value;
    switch (node) {
      case ScalarNode scalar -> value = factory.textNode(scalar.getValue());
      case SequenceNode sequence -> {
        var items = factory.arrayNode();
        sequence.getValue().forEach(item -> items.add(json(item)));
        value = items;
      }
      case MappingNode mapping -> {
        var entries = factory.objectNode();
        for (var entry : mapping.getValue()) {
          entries.set(((ScalarNode) entry.getKeyNode()).getValue(), json(entry.getValueNode()));
        }
        value = entries;
      }
      default -> throw new IllegalArgumentException("No such YAML node: " + node);
    }
    var tag = node.getTag().getValue();
    if (!tag.startsWith("!")) {
      return value;
    }
    var name = tag.substring(1);
    var plain = name.equals("Ref") || name.equals("Condition");
    return factory.objectNode().set(plain ? name : "Fn::" + name, value);
  }
}
