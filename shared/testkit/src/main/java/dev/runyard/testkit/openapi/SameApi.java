package dev.runyard.testkit.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// Compares a description with an earlier one, and names what a client of the earlier one would
/// miss: what went, what a request needs now, what an answer may be now that it never was.
public final class SameApi {
  private static final List<String> UPPER =
      List.of("maximum", "maxLength", "maxItems", "maxProperties", "x-bytes-max");
  private static final List<String> LOWER = List.of("minimum", "minLength", "minItems");

  private final JsonNode before;
  private final JsonNode now;
  private final List<String> broken = new ArrayList<>();
  private final Set<String> compared = new HashSet<>();

  private SameApi(JsonNode before, JsonNode now) {
    this.before = before;
    this.now = now;
  }

  /// What breaks clients of the description `before`.
  public static List<String> broken(JsonNode before, JsonNode now) {
    SameApi same = new SameApi(before, now);
    same.compare();
    return List.copyOf(same.broken);
  }

  private void compare() {
    for (Map.Entry<String, JsonNode> path : before.path("paths").properties()) {
      for (Map.Entry<String, JsonNode> operation : path.getValue().properties()) {
        String name = operation.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey();
        JsonNode other = now.path("paths").path(path.getKey()).path(operation.getKey());
        if (other.isMissingNode()) {
          broken.add(name + " went");
        } else {
          operation(name, operation.getValue(), other);
        }
      }
    }
  }

  private void operation(String name, JsonNode old, JsonNode other) {
    if (!old.path("operationId").equals(other.path("operationId"))) {
      broken.add(name + " has another operationId");
    }
    if (!old.path("security").equals(other.path("security"))) {
      broken.add(name + " needs another scope");
    }
    parameters(name, old.path("parameters"), other.path("parameters"));
    JsonNode body = other.path("requestBody");
    if (!old.at("/requestBody/required").asBoolean() && body.path("required").asBoolean()) {
      broken.add(name + " needs a body");
    }
    schema(name + " body", json(old.path("requestBody")), json(body), Direction.REQUEST);
    for (Map.Entry<String, JsonNode> response : old.path("responses").properties()) {
      JsonNode then = resolved(before, response.getValue());
      JsonNode still = resolved(now, other.path("responses").path(response.getKey()));
      String at = name + " " + response.getKey();
      if (then.has("x-result") && still.isMissingNode()) {
        broken.add(at + " went");
      }
      for (String media :
          then.path("content").properties().stream().map(Map.Entry::getKey).toList()) {
        if (then.has("x-result") && !still.path("content").has(media)) {
          broken.add(at + " is no " + media + " any more");
        }
      }
      if (then.has("x-result")) {
        schema(at, json(then), json(still), Direction.ANSWER);
      }
    }
  }

  private enum Direction {
    REQUEST,
    ANSWER
  }

  private static JsonNode json(JsonNode of) {
    return of.path("content").path("application/json").path("schema");
  }

  private void parameters(String name, JsonNode old, JsonNode other) {
    for (JsonNode given : old) {
      JsonNode then = resolved(before, given);
      JsonNode still = parameter(now, other, then);
      String at = name + " " + then.path("name").asText();
      if (still.isMissingNode()) {
        broken.add(at + " went");
      } else {
        schema(at, then.path("schema"), still.path("schema"), Direction.REQUEST);
      }
    }
    for (JsonNode given : other) {
      JsonNode added = resolved(now, given);
      if (added.path("required").asBoolean() && parameter(before, old, added).isMissingNode()) {
        broken.add(name + " needs " + added.path("name").asText());
      }
    }
  }

  private static JsonNode parameter(JsonNode document, JsonNode among, JsonNode wanted) {
    for (JsonNode given : among) {
      JsonNode parameter = resolved(document, given);
      if (parameter.path("name").equals(wanted.path("name"))
          && parameter.path("in").equals(wanted.path("in"))) {
        return parameter;
      }
    }
    return document.path("nothing");
  }

  private void schema(String at, JsonNode oldGiven, JsonNode newGiven, Direction direction) {
    String pair = oldGiven.path("$ref").asText() + newGiven.path("$ref").asText() + direction;
    if (oldGiven.isMissingNode() || (oldGiven.has("$ref") && !compared.add(pair))) {
      return;
    }
    JsonNode old = resolved(before, oldGiven);
    JsonNode other = resolved(now, newGiven);
    boolean request = direction == Direction.REQUEST;
    types(at, old, other, request);
    Set<String> wasNeeded = texts(old.path("required"));
    Set<String> isNeeded = texts(other.path("required"));
    for (String name : request ? isNeeded : wasNeeded) {
      if (!(request ? wasNeeded : isNeeded).contains(name)) {
        broken.add("%s/%s %s".formatted(at, name, request ? "is needed" : "may be absent"));
      }
    }
    for (Map.Entry<String, JsonNode> member : old.path("properties").properties()) {
      JsonNode still = other.path("properties").path(member.getKey());
      if (still.isMissingNode()) {
        broken.add("%s/%s went".formatted(at, member.getKey()));
      } else {
        schema(at + "/" + member.getKey(), member.getValue(), still, direction);
      }
    }
    if (request) {
      limits(at, old, other);
    }
    schema(at + "/*", old.path("items"), other.path("items"), direction);
    for (String group : List.of("anyOf", "allOf")) {
      for (int i = 0; i < old.path(group).size(); i++) {
        schema(at, old.path(group).get(i), other.path(group).path(i), direction);
      }
    }
  }

  /// A request may get more types and values, an answer fewer types; its values are an open list.
  private void types(String at, JsonNode old, JsonNode other, boolean request) {
    Set<String> then = texts(old.path("type"));
    Set<String> still = texts(other.path("type"));
    if (!then.isEmpty()
        && !(request
            ? still.containsAll(then) || still.isEmpty()
            : then.containsAll(still) && !still.isEmpty())) {
      broken.add("%s was %s and is %s".formatted(at, then, still));
    }
    if (request
        && other.has("enum")
        && !texts(other.path("enum")).containsAll(texts(old.path("enum")))) {
      broken.add(at + " takes fewer values");
    }
  }

  private void limits(String at, JsonNode old, JsonNode other) {
    for (String name : UPPER) {
      if (other.has(name)
          && other.path(name).asDouble() < old.path(name).asDouble(Double.MAX_VALUE)) {
        broken.add("%s has a lower %s".formatted(at, name));
      }
    }
    for (String name : LOWER) {
      if (other.path(name).asDouble(-Double.MAX_VALUE)
          > old.path(name).asDouble(-Double.MAX_VALUE)) {
        broken.add("%s has a higher %s".formatted(at, name));
      }
    }
    if (other.has("pattern") && !other.path("pattern").equals(old.path("pattern"))) {
      broken.add(at + " has another pattern");
    }
  }

  private static JsonNode resolved(JsonNode document, JsonNode given) {
    String ref = given.path("$ref").asText();
    return ref.isEmpty() ? given : document.at(ref.substring(1));
  }

  private static Set<String> texts(JsonNode value) {
    Set<String> texts = new HashSet<>();
    if (value.isTextual()) {
      texts.add(value.textValue());
    }
    value.forEach(one -> texts.add(one.asText()));
    return texts;
  }
}
