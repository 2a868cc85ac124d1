package dev.runyard.core.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.problem.Pointer;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The members of a JSON object in a request, read one after another. The first invalid one is kept
/// as the problem, and later reads do no harm; the caller checks for the problem at the end. A
/// member that is `null` counts as absent. Not thread-safe.
public final class JsonFields {
  /// Unknown members one problem names.
  private static final int POINTERS_MAX = 10;

  private final ObjectNode object;
  private final String at;
  private final First first;

  private JsonFields(ObjectNode object, String at, First first) {
    this.object = object;
    this.at = at;
    this.first = first;
  }

  /// The members of a body that knows only `names`.
  public static JsonFields of(ObjectNode body, Set<String> names) {
    return new JsonFields(body, "", new First()).onlyKnown(names);
  }

  public Optional<Problem> problem() {
    return Optional.ofNullable(first.problem);
  }

  public boolean has(String name) {
    return object.hasNonNull(name);
  }

  public boolean hasObject(String name) {
    return object.path(name).isObject();
  }

  /// Keeps a problem with member `name`, unless there is one already.
  public void refuse(ProblemCode code, String name, String detail) {
    first.offer(Problem.at(code, Pointer.child(at, name), detail));
  }

  public void refuse(String name, String detail) {
    refuse(ProblemCode.INVALID_REQUEST, name, detail);
  }

  public void refuse(Problem problem) {
    first.offer(problem);
  }

  /// Keeps a problem with one of the items of a list.
  public void refuseItem(String name, int index, String detail) {
    first.offer(
        Problem.at(
            ProblemCode.INVALID_REQUEST,
            Pointer.child(Pointer.child(at, name), String.valueOf(index)),
            detail));
  }

  public Optional<String> text(String name) {
    return has(name) ? Optional.ofNullable(text(object.get(name), name)) : Optional.empty();
  }

  public String requiredText(String name) {
    if (!has(name)) {
      refuse(name, name + " is required");
    }
    return text(name).orElse("");
  }

  public int whole(String name, int min, int max, int absent) {
    return (int) optionalWhole(name, min, max).orElse(absent);
  }

  /// A whole number, empty when it is absent.
  public OptionalLong optionalWhole(String name, long min, long max) {
    if (!has(name)) {
      return OptionalLong.empty();
    }
    JsonNode value = object.get(name);
    if (value.isIntegralNumber()
        && value.canConvertToLong()
        && value.longValue() >= min
        && value.longValue() <= max) {
      return OptionalLong.of(value.longValue());
    }
    refuse(name, "%s must be a whole number from %d to %d".formatted(name, min, max));
    return OptionalLong.empty();
  }

  /// True or false; false when it is absent.
  public boolean flag(String name) {
    if (has(name) && !object.get(name).isBoolean()) {
      refuse(name, name + " must be true or false");
    }
    return object.path(name).asBoolean();
  }

  /// A number above 0, empty when it is absent.
  public OptionalDouble optionalPositive(String name, double max) {
    if (!has(name)) {
      return OptionalDouble.empty();
    }
    JsonNode value = object.get(name);
    if (value.isNumber() && value.doubleValue() > 0 && value.doubleValue() <= max) {
      return OptionalDouble.of(value.doubleValue());
    }
    refuse(name, "%s must be a number above 0 and at most %.0f".formatted(name, max));
    return OptionalDouble.empty();
  }

  /// The strings of a list, at most `max`.
  public List<String> texts(String name, int max) {
    List<String> texts = new ArrayList<>();
    if (!has(name)) {
      return texts;
    }
    JsonNode list = object.get(name);
    if (!list.isArray() || list.size() > max) {
      refuse(name, "%s must be a list of at most %d strings".formatted(name, max));
      return texts;
    }
    for (JsonNode item : list) {
      if (!item.isTextual()) {
        refuseItem(name, texts.size(), "Each of %s must be a string".formatted(name));
        return texts;
      }
      texts.add(item.textValue());
    }
    return texts;
  }

  /// The values of an object, at most `max`.
  public Map<String, JsonNode> values(String name, int max) {
    Map<String, JsonNode> values = new LinkedHashMap<>();
    JsonFields members = object(name);
    if (members.object.size() > max) {
      refuse(name, "%s must have at most %d members".formatted(name, max));
    } else {
      members.object.properties().forEach(member -> values.put(member.getKey(), member.getValue()));
    }
    return values;
  }

  /// The objects of a list, at most `max`, which know only `names`.
  public List<JsonFields> objects(String name, int max, Set<String> names) {
    List<JsonFields> objects = new ArrayList<>();
    JsonNode list = value(name);
    if (has(name) && (!list.isArray() || list.size() > max)) {
      refuse(name, "%s must be a list of at most %d objects".formatted(name, max));
      return objects;
    }
    for (JsonNode item : list) {
      if (!(item instanceof ObjectNode object)) {
        refuseItem(name, objects.size(), "Each of %s must be an object".formatted(name));
        return objects;
      }
      String place = Pointer.child(Pointer.child(at, name), String.valueOf(objects.size()));
      objects.add(new JsonFields(object, place, first).onlyKnown(names));
    }
    return objects;
  }

  /// A member as it is; a missing node if it is absent.
  public JsonNode value(String name) {
    return object.path(name);
  }

  /// The members of an object whose members are named by the caller. Empty when there is none.
  public JsonFields object(String name) {
    JsonNode value = object.path(name);
    if (has(name) && !value.isObject()) {
      refuse(name, name + " must be an object");
    }
    ObjectNode members =
        value instanceof ObjectNode found ? found : JsonNodeFactory.instance.objectNode();
    return new JsonFields(members, Pointer.child(at, name), first);
  }

  public JsonFields object(String name, Set<String> names) {
    return object(name).onlyKnown(names);
  }

  /// The names of the members, in the order they were written.
  public List<String> names() {
    return object.properties().stream().map(Map.Entry::getKey).toList();
  }

  private JsonFields onlyKnown(Set<String> names) {
    List<String> unknown =
        object.properties().stream()
            .map(Map.Entry::getKey)
            .filter(name -> !names.contains(name))
            .limit(POINTERS_MAX)
            .map(name -> Pointer.child(at, name))
            .toList();
    if (!unknown.isEmpty()) {
      first.offer(
          new Problem(
              ProblemCode.INVALID_REQUEST,
              "There is no such member. Known members: %s."
                  .formatted(String.join(", ", names.stream().sorted().toList())),
              unknown));
    }
    return this;
  }

  private @Nullable String text(JsonNode value, String name) {
    if (!value.isTextual()) {
      refuse(name, name + " must be a string");
      return null;
    }
    return value.textValue();
  }

  private static final class First {
    private @Nullable Problem problem;

    void offer(Problem found) {
      if (problem == null) {
        problem = found;
      }
    }
  }
}
