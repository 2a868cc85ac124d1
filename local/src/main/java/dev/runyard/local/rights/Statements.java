package dev.runyard.local.rights;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.local.template.RoleDeclaration;
import dev.runyard.local.template.TemplateException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Reads policy statements. Their members are a closed list: one that would widen or narrow a right
/// must not be ignored.
final class Statements {
  private static final Set<String> MEMBERS =
      Set.of("Sid", "Effect", "Action", "Resource", "Condition");

  /// Begins the Sid of a statement about what Lambda does on the function's behalf, which is no
  /// call of the function's code.
  private static final String OF_LAMBDA = "Lambda";

  private Statements() {}

  static List<Permission> read(RoleDeclaration.Document document) {
    List<Permission> permissions = new ArrayList<>();
    for (JsonNode statement : list(document.statements())) {
      String origin = document.origin();
      for (Map.Entry<String, JsonNode> member : statement.properties()) {
        if (!MEMBERS.contains(member.getKey())) {
          throw new TemplateException(
              origin
                  + " has a statement with "
                  + member.getKey()
                  + ", which the local stack cannot judge");
        }
      }
      boolean implied = document.implied() || statement.path("Sid").asText().startsWith(OF_LAMBDA);
      boolean allows = allows(origin, statement.path("Effect").asText());
      List<Condition> conditions = conditions(origin, statement.path("Condition"));
      for (String action : texts(origin, "Action", statement.path("Action"))) {
        for (String resource : texts(origin, "Resource", statement.path("Resource"))) {
          permissions.add(new Permission(origin, allows, implied, action, resource, conditions));
        }
      }
    }
    return permissions;
  }

  private static boolean allows(String origin, String effect) {
    return switch (effect) {
      case "Allow" -> true;
      case "Deny" -> false;
      default -> throw new TemplateException(origin + " has a statement with Effect " + effect);
    };
  }

  private static List<Condition> conditions(String origin, JsonNode condition) {
    List<Condition> conditions = new ArrayList<>();
    for (Map.Entry<String, JsonNode> operator : condition.properties()) {
      for (Map.Entry<String, JsonNode> key : operator.getValue().properties()) {
        conditions.add(
            Condition.of(
                origin,
                operator.getKey(),
                key.getKey(),
                texts(origin, key.getKey(), key.getValue())));
      }
    }
    return conditions;
  }

  private static List<String> texts(String origin, String member, JsonNode value) {
    List<String> texts = new ArrayList<>();
    for (JsonNode item : list(value)) {
      if (!item.isTextual() || item.textValue().contains("${")) {
        throw new TemplateException(
            origin + " has a statement whose " + member + " is not plain text: " + item);
      }
      texts.add(item.textValue());
    }
    if (texts.isEmpty()) {
      throw new TemplateException(origin + " has a statement without " + member);
    }
    return texts;
  }

  private static List<JsonNode> list(JsonNode value) {
    if (value.isArray()) {
      return value.valueStream().toList();
    }
    return value.isMissingNode() ? List.of() : List.of(value);
  }
}
