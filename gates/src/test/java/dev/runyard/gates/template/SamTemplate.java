package dev.runyard.gates.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

  static final Path FILE = Path.of("..", "template.yaml");

  private static final Pattern SUBSTITUTED = Pattern.compile("\\$\\{([A-Za-z0-9]+)[.}]");

  public static SamTemplate read() throws IOException {
    var settings = LoadSettings.builder().build();
    return new SamTemplate(
        json(new Compose(settings).composeString(Files.readString(FILE)).orElseThrow()));
  }

  JsonNode properties(String resource) {
    return root.path("Resources").path(resource).path("Properties");
  }

  JsonNode parameter(String name) {
    return root.path("Parameters").path(name);
  }

  /// Properties of each function, by logical id.
  public Map<String, JsonNode> functions() {
    var functions = new TreeMap<String, JsonNode>();
    root.path("Resources")
        .properties()
        .forEach(
            resource -> {
              if (resource.getValue().path("Type").asText().equals("AWS::Serverless::Function")) {
                functions.put(resource.getKey(), resource.getValue().path("Properties"));
              }
            });
    return functions;
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

  /// Resources and parameters that a value refers to at any depth; pseudo parameters are left out.
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
        case "Ref", "DependsOn" -> found.add(argument.asText());
        case "Fn::GetAtt" -> found.add(argument.asText().split("\\.", 2)[0]);
        case "Fn::Sub" ->
            SUBSTITUTED.matcher(argument.asText()).results().forEach(m -> found.add(m.group(1)));
        default -> {}
      }
    }
    value.forEach(inner -> collect(inner, found));
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
