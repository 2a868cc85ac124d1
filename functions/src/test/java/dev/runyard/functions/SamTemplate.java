package dev.runyard.functions;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/// The deployment template as maps, lists and strings, with `!Ref x` read as `{Ref: x}` and any other
/// tag as `{Fn::Tag: value}`. Values keep their YAML text: `true` and `10` are strings here.
record SamTemplate(Map<String, Object> root) {

  static final Path FILE = Path.of("..", "template.yaml");

  static SamTemplate read() throws IOException {
    var text = Files.readString(FILE);
    var node = new Compose(LoadSettings.builder().build()).composeString(text).orElseThrow();
    return new SamTemplate(map(plain(node)));
  }

  Map<String, Object> resources() {
    return map(root.get("Resources"));
  }

  Map<String, Object> resource(String id) {
    return map(resources().get(id));
  }

  Map<String, Object> properties(String id) {
    return map(resource(id).getOrDefault("Properties", Map.of()));
  }

  Map<String, Map<String, Object>> functions() {
    var functions = new TreeMap<String, Map<String, Object>>();
    resources()
        .forEach(
            (id, resource) -> {
              if ("AWS::Serverless::Function".equals(map(resource).get("Type"))) {
                functions.put(id, properties(id));
              }
            });
    return functions;
  }

  /// The variables a function is given: the common ones and its own.
  Map<String, Object> environment(Map<String, Object> function) {
    var all = new TreeMap<>(variables(map(map(root.get("Globals")).get("Function"))));
    all.putAll(variables(function));
    return all;
  }

  /// The variables the runner's container is given.
  Map<String, Object> runnerEnvironment() {
    var container = map(list(properties("RunnerTask").get("ContainerDefinitions")).getFirst());
    var all = new TreeMap<String, Object>();
    for (var entry : list(container.get("Environment"))) {
      all.put((String) map(entry).get("Name"), map(entry).get("Value"));
    }
    return all;
  }

  /// Tells each single-key map that calls an intrinsic function, at any depth below a value.
  static void eachCall(Object value, BiConsumer<String, Object> call) {
    if (value instanceof Map<?, ?> map) {
      for (var entry : map.entrySet()) {
        var key = (String) entry.getKey();
        if (key.equals("Ref") || key.startsWith("Fn::")) {
          call.accept(key, entry.getValue());
        }
        eachCall(entry.getValue(), call);
      }
    } else if (value instanceof List<?> list) {
      list.forEach(item -> eachCall(item, call));
    }
  }

  @SuppressWarnings("unchecked")
  static Map<String, Object> map(Object value) {
    return (Map<String, Object>) value;
  }

  @SuppressWarnings("unchecked")
  static List<Object> list(Object value) {
    return (List<Object>) value;
  }

  private static Map<String, Object> variables(Map<String, Object> function) {
    return map(map(function.getOrDefault("Environment", Map.of())).getOrDefault("Variables", Map.of()));
  }

  private static Object plain(Node node) {
    Object value =
        switch (node) {
          case ScalarNode scalar -> scalar.getValue();
          case SequenceNode sequence -> {
            var items = new ArrayList<Object>();
            sequence.getValue().forEach(item -> items.add(plain(item)));
            yield items;
          }
          case MappingNode mapping -> {
            var entries = new LinkedHashMap<String, Object>();
            mapping
                .getValue()
                .forEach(
                    entry ->
                        entries.put(
                            ((ScalarNode) entry.getKeyNode()).getValue(),
                            plain(entry.getValueNode())));
            yield entries;
          }
          default -> throw new IllegalArgumentException("No such YAML node: " + node);
        };
    var tag = node.getTag().getValue();
    if (!tag.startsWith("!")) {
      return value;
    }
    var name = tag.substring(1);
    return Map.of(name.equals("Ref") || name.equals("Condition") ? name : "Fn::" + name, value);
  }
}
