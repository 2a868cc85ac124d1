package dev.runyard.local.rights;

import dev.runyard.local.template.TemplateException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A condition of a statement: a fact of the call must equal, or be covered by, one of the values.
/// It does not hold for a call without the fact.
record Condition(Operator operator, String key, List<String> values) {
  /// The facts that the emulators report about a call, and the one that all calls of a key have, of
  /// which there are none here. A condition on anything else could never hold.
  private static final Set<String> KEYS =
      Set.of("dynamodb:LeadingKeys", "ecs:cluster", "iam:PassedToService", "kms:ViaService");

  Condition {
    values = List.copyOf(values);
  }

  enum Operator {
    EQUAL,
    LIKE
  }

  static Condition of(String origin, String operator, String key, List<String> values) {
    if (!KEYS.contains(key)) {
      throw new TemplateException(
          origin + " has a condition on " + key + ", which the local stack does not know");
    }
    return new Condition(
        switch (operator) {
          case "StringEquals", "ForAllValues:StringEquals" -> Operator.EQUAL;
          case "ArnEquals", "ArnLike", "StringLike", "ForAllValues:StringLike" -> Operator.LIKE;
          default ->
              throw new TemplateException(
                  origin + " has a condition " + operator + ", which the local stack cannot judge");
        },
        key,
        values);
  }

  boolean holds(Map<String, String> facts) {
    String fact = facts.get(key);
    return fact != null
        && values.stream()
            .anyMatch(
                value ->
                    switch (operator) {
                      case EQUAL -> value.equals(fact);
                      case LIKE -> Wildcard.covers(value, fact);
                    });
  }
}
