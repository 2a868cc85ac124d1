package dev.runyard.local.events;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.local.template.TemplateException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// An event filter in EventBridge's pattern language: nested objects select fields, an array lists
/// the values or rules of which one must hold, and all fields must hold.
///
/// Rules: equality, `exists`, `prefix`, `suffix`, `equals-ignore-case`, `anything-but`, `numeric`,
/// and `$or`. A pattern with any other rule is refused when it is read.
public final class FilterPattern {
  private final Node root;

  private FilterPattern(Node root) {
    this.root = root;
  }

  /// Reads one pattern.
  public static FilterPattern of(JsonNode pattern) {
    if (!pattern.isObject()) {
      throw new TemplateException("a filter pattern is an object, not " + pattern);
    }
    return new FilterPattern(object(pattern));
  }

  /// Whether the event, a tree of maps, lists and scalars, matches.
  public boolean matches(Map<String, ?> event) {
    return root.matches(event);
  }

  private sealed interface Node {
    boolean matches(@Nullable Object value);
  }

  private record Fields(Map<String, Node> fields, List<List<Node>> alternatives) implements Node {
    @Override
    public boolean matches(@Nullable Object value) {
      Map<?, ?> object = value instanceof Map<?, ?> map ? map : Map.of();
      return fields.entrySet().stream().allMatch(e -> e.getValue().matches(object.get(e.getKey())))
          && alternatives.stream()
              .allMatch(branches -> branches.stream().anyMatch(b -> b.matches(object)));
    }
  }

  private record AnyOf(List<FilterRule> rules) implements Node {
    @Override
    public boolean matches(@Nullable Object value) {
      if (value instanceof List<?> list && !list.isEmpty()) {
        return list.stream().anyMatch(this::matches);
      }
      return rules.stream().anyMatch(rule -> rule.holds(value));
    }
  }

  private static Node object(JsonNode pattern) {
    Map<String, Node> fields = new LinkedHashMap<>();
    List<List<Node>> alternatives = new ArrayList<>();
    for (Map.Entry<String, JsonNode> field : pattern.properties()) {
      JsonNode value = field.getValue();
      if (field.getKey().equals("$or")) {
        alternatives.add(value.valueStream().map(FilterPattern::object).toList());
      } else if (value.isObject()) {
        fields.put(field.getKey(), object(value));
      } else if (value.isArray() && !value.isEmpty()) {
        fields.put(field.getKey(), new AnyOf(value.valueStream().map(FilterRule::of).toList()));
      } else {
        throw new TemplateException(
            "the filter field " + field.getKey() + " needs a list of values, not " + value);
      }
    }
    return new Fields(fields, alternatives);
  }
}
