package dev.runyard.local.events;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.local.template.TemplateException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One rule about one leaf of an event. An absent leaf is null, and only `exists: false` holds for
/// it; a JSON null in the event is treated the same.
sealed interface FilterRule {

  boolean holds(@Nullable Object value);

  record Equal(JsonNode expected) implements FilterRule {
    @Override
    public boolean holds(@Nullable Object value) {
      return switch (value) {
        case null -> expected.isNull();
        case Number number -> expected.isNumber() && compare(number, expected) == 0;
        case Boolean bool -> expected.isBoolean() && expected.booleanValue() == bool;
        default -> expected.isTextual() && expected.textValue().equals(value.toString());
      };
    }
  }

  record Exists(boolean wanted) implements FilterRule {
    @Override
    public boolean holds(@Nullable Object value) {
      return (value != null && !(value instanceof Map<?, ?>)) == wanted;
    }
  }

  record Prefix(String prefix, boolean ignoreCase) implements FilterRule {
    @Override
    public boolean holds(@Nullable Object value) {
      return value instanceof CharSequence text
          && text.toString().regionMatches(ignoreCase, 0, prefix, 0, prefix.length());
    }
  }

  record Suffix(String suffix, boolean ignoreCase) implements FilterRule {
    @Override
    public boolean holds(@Nullable Object value) {
      return value instanceof CharSequence text
          && text.toString()
              .regionMatches(
                  ignoreCase, text.length() - suffix.length(), suffix, 0, suffix.length());
    }
  }

  record EqualIgnoringCase(String expected) implements FilterRule {
    @Override
    public boolean holds(@Nullable Object value) {
      return value instanceof CharSequence text
          && text.toString().toLowerCase(Locale.ROOT).equals(expected.toLowerCase(Locale.ROOT));
    }
  }

  /// Holds for a present leaf for which none of the rules holds.
  record AnythingBut(List<FilterRule> rules) implements FilterRule {
    @Override
    public boolean holds(@Nullable Object value) {
      return value != null && rules.stream().noneMatch(rule -> rule.holds(value));
    }
  }

  record Numeric(List<Comparison> comparisons) implements FilterRule {
    @Override
    public boolean holds(@Nullable Object value) {
      return value instanceof Number number
          && comparisons.stream().allMatch(comparison -> comparison.holds(number));
    }
  }

  record Comparison(String operator, JsonNode bound) {
    boolean holds(Number number) {
      int order = compare(number, bound);
      return switch (operator) {
        case "=" -> order == 0;
        case "<" -> order < 0;
        case "<=" -> order <= 0;
        case ">" -> order > 0;
        default -> order >= 0;
      };
    }
  }

  static FilterRule of(JsonNode rule) {
    if (!rule.isObject()) {
      return new Equal(rule);
    }
    if (rule.size() != 1) {
      throw new TemplateException("a filter rule has one name: " + rule);
    }
    var only = rule.properties().iterator().next();
    JsonNode argument = only.getValue();
    return switch (only.getKey()) {
      case "exists" -> new Exists(argument.booleanValue());
      case "prefix" -> new Prefix(text(argument), argument.isObject());
      case "suffix" -> new Suffix(text(argument), argument.isObject());
      case "equals-ignore-case" -> new EqualIgnoringCase(argument.asText());
      case "anything-but" -> anythingBut(argument);
      case "numeric" -> numeric(argument);
      default -> throw new TemplateException("unknown filter rule " + only.getKey());
    };
  }

  /// `"x"`, or `{"equals-ignore-case": "x"}`.
  private static String text(JsonNode argument) {
    return (argument.isObject() ? argument.path("equals-ignore-case") : argument).asText();
  }

  private static FilterRule anythingBut(JsonNode argument) {
    if (argument.isArray()) {
      return new AnythingBut(argument.valueStream().map(FilterRule::of).toList());
    }
    return new AnythingBut(List.of(of(argument)));
  }

  private static FilterRule numeric(JsonNode argument) {
    List<Comparison> comparisons = new ArrayList<>();
    for (int i = 0; i + 1 < argument.size(); i += 2) {
      String operator = argument.get(i).asText();
      if (!List.of("=", "<", "<=", ">", ">=").contains(operator)) {
        throw new TemplateException("unknown numeric operator " + operator);
      }
      comparisons.add(new Comparison(operator, argument.get(i + 1)));
    }
    if (comparisons.isEmpty()) {
      throw new TemplateException("numeric needs an operator and a number: " + argument);
    }
    return new Numeric(comparisons);
  }

  private static int compare(Number number, JsonNode bound) {
    return new BigDecimal(number.toString()).compareTo(bound.decimalValue());
  }
}
