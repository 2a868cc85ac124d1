package dev.runyard.local.template;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.Set;
import java.util.function.UnaryOperator;

/// The template's `Conditions`. They depend only on parameters, so each is true or false for the
/// whole life of the stack. Thread-safe.
final class Conditions {
  private final JsonNode declared;
  private final UnaryOperator<JsonNode> values;

  /// @param values resolves an operand of `Fn::Equals`
  Conditions(JsonNode declared, UnaryOperator<JsonNode> values) {
    this.declared = declared;
    this.values = values;
  }

  boolean holds(String name) {
    return holds(name, new HashSet<>());
  }

  /// @param open the conditions that are being evaluated
  private boolean holds(String name, Set<String> open) {
    JsonNode expression = declared.path(name);
    if (expression.isMissingNode()) {
      throw new TemplateException("the condition " + name + " is not declared");
    }
    if (!open.add(name)) {
      throw new TemplateException("the condition " + name + " refers to itself");
    }
    try {
      return evaluate(expression, open);
    } finally {
      open.remove(name);
    }
  }

  private boolean evaluate(JsonNode expression, Set<String> open) {
    if (expression.isObject() && expression.size() == 1) {
      var only = expression.properties().iterator().next();
      JsonNode operands = only.getValue();
      switch (only.getKey()) {
        case "Fn::Equals" -> {
          return values
              .apply(operands.path(0))
              .asText()
              .equals(values.apply(operands.path(1)).asText());
        }
        case "Fn::Not" -> {
          return !evaluate(operands.path(0), open);
        }
        case "Fn::And" -> {
          return operands.valueStream().allMatch(operand -> evaluate(operand, open));
        }
        case "Fn::Or" -> {
          return operands.valueStream().anyMatch(operand -> evaluate(operand, open));
        }
        case "Condition" -> {
          return holds(operands.asText(), open);
        }
        default -> {}
      }
    }
    throw new TemplateException("not a condition: " + expression);
  }
}
