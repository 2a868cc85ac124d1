package dev.runyard.local.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/// Turns YAML text into a JSON tree in which every short tag (`!Sub x`) is replaced by its long
/// form (`{"Fn::Sub": "x"}`), so that one evaluator handles both.
final class TemplateYaml {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final Map<String, String> UNPREFIXED =
      Map.of("!Ref", "Ref", "!Condition", "Condition");

  private TemplateYaml() {}

  static JsonNode parse(String text) {
    LoadSettings settings = LoadSettings.builder().setSchema(new CoreSchema()).build();
    try {
      return new Compose(settings)
          .composeString(text)
          .map(TemplateYaml::tree)
          .orElseThrow(() -> new TemplateException("the template is empty"));
    } catch (YamlEngineException e) {
      throw new TemplateException("the template is not YAML: " + e.getMessage(), e);
    }
  }

  private static JsonNode tree(Node node) {
    String tag = node.getTag().getValue();
    if (!tag.startsWith("!")) {
      return plain(node);
    }
    String function = UNPREFIXED.getOrDefault(tag, "Fn::" + tag.substring(1));
    JsonNode argument = plain(node);
    if (function.equals("Fn::GetAtt") && argument.isTextual()) {
      argument = attributePath(argument.textValue(), node);
    }
    return JSON.objectNode().set(function, argument);
  }

  private static JsonNode attributePath(String path, Node node) {
    int dot = path.indexOf('.');
    if (dot < 1) {
      throw new TemplateException("!GetAtt needs Resource.Attribute" + at(node.getStartMark()));
    }
    return JSON.arrayNode().add(path.substring(0, dot)).add(path.substring(dot + 1));
  }

  private static JsonNode plain(Node node) {
    return switch (node) {
      case MappingNode mapping -> object(mapping);
      case SequenceNode sequence -> {
        ArrayNode array = JSON.arrayNode();
        sequence.getValue().forEach(item -> array.add(tree(item)));
        yield array;
      }
      case ScalarNode scalar -> scalar(scalar);
      default -> throw new TemplateException("unsupported YAML" + at(node.getStartMark()));
    };
  }

  private static ObjectNode object(MappingNode mapping) {
    ObjectNode object = JSON.objectNode();
    for (NodeTuple entry : mapping.getValue()) {
      if (!(entry.getKeyNode() instanceof ScalarNode key)) {
        throw new TemplateException("a key must be text" + at(entry.getKeyNode().getStartMark()));
      }
      if (object.has(key.getValue())) {
        throw new TemplateException("duplicate key " + key.getValue() + at(key.getStartMark()));
      }
      object.set(key.getValue(), tree(entry.getValueNode()));
    }
    return object;
  }

  private static JsonNode scalar(ScalarNode scalar) {
    Tag tag = scalar.getTag();
    String text = scalar.getValue();
    if (tag.equals(Tag.INT) && text.matches("[-+]?[0-9]+")) {
      return JSON.numberNode(new BigInteger(text));
    }
    if (tag.equals(Tag.FLOAT) && text.matches("[-+]?[0-9.]+([eE][-+]?[0-9]+)?")) {
      return JSON.numberNode(new BigDecimal(text));
    }
    if (tag.equals(Tag.BOOL)) {
      return JSON.booleanNode(text.equalsIgnoreCase("true"));
    }
    return tag.equals(Tag.NULL) ? JSON.nullNode() : JSON.textNode(text);
  }

  private static String at(Optional<Mark> mark) {
    return mark.map(m -> " (line " + (m.getLine() + 1) + ")").orElse("");
  }
}
