package dev.runyard.core.hook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.problem.Pointer;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/// What a hook submits: the body of `POST /v1/runs`, in some of whose texts values of the delivery
/// stand. Which texts may have any is a closed list ([HookPlace]); all others are the hook's own.
///
/// @param body as the hook says it
/// @param texts what was read of those of its texts that are not what they say, by their pointers
/// @param allowed the only values of a place, by its pointer
record HookTemplate(
    ObjectNode body, Map<String, HookText> texts, Map<String, List<String>> allowed) {
  /// The member of a hook that has the template.
  static final String MEMBER = "run";

  private static final String AT = Pointer.of(MEMBER);

  HookTemplate {
    texts = Map.copyOf(texts);
    allowed = Map.copyOf(allowed);
  }

  /// The result of reading a template.
  sealed interface Result {
    record Read(HookTemplate template) implements Result {}

    record Rejected(Problem problem) implements Result {}
  }

  /// The result of filling it.
  sealed interface Filling {
    record Filled(ObjectNode body) implements Filling {}

    record Unfit(Problem problem) implements Filling {}
  }

  /// Reads the member `run` of a hook.
  ///
  /// @param allowed as [HookTemplate#allowed]
  static Result read(ObjectNode run, Map<String, List<String>> allowed) {
    Map<String, HookText> texts = new HashMap<>();
    List<Problem> problems = new ArrayList<>();
    walk(run, List.of(), texts, problems);
    if (texts.values().stream().mapToInt(HookText::placeholders).sum()
        > HookLimits.PLACEHOLDERS_MAX) {
      problems.add(
          refused(AT, "A hook has at most %d placeholders".formatted(HookLimits.PLACEHOLDERS_MAX)));
    }
    for (String pointer : new TreeSet<>(allowed.keySet())) {
      HookText text = texts.get(pointer);
      if (text == null || text.placeholders() == 0) {
        problems.add(
            refused(
                Pointer.child(Pointer.of(HookReader.ALLOW), pointer),
                "allow names places of run that have a placeholder, by their JSON Pointers"));
      }
    }
    if (run.path("env").valueStream().anyMatch(JsonNode::isTextual)) {
      problems.add(
          refused(
              AT + "/env",
              "The variables of a hook are secrets of the operator, named as {\"secret\"}"));
    }
    HookTemplate template = new HookTemplate(run, texts, allowed);
    new TreeMap<>(texts)
        .forEach((pointer, text) -> template.unbounded(pointer, text).ifPresent(problems::add));
    return problems.isEmpty()
        ? new Result.Read(template)
        : new Result.Rejected(problems.getFirst());
  }

  private static void walk(
      JsonNode node, List<String> path, Map<String, HookText> texts, List<Problem> problems) {
    if (node.isTextual()) {
      Optional<HookText> text = HookText.read(node.textValue());
      if (text.isEmpty()) {
        problems.add(refused(AT + pointer(path), HookText.EXPECTED));
      } else if (text.get().placeholders() > 0 && HookPlace.at(path).isEmpty()) {
        problems.add(refused(AT + pointer(path), "No value of a delivery may stand here"));
      } else if (!text.get()
          .equals(new HookText(List.of(new HookText.Part.Literal(node.textValue()))))) {
        texts.put(pointer(path), text.get());
      }
      return;
    }
    for (Map.Entry<String, JsonNode> member : node.properties()) {
      walk(member.getValue(), below(path, member.getKey()), texts, problems);
    }
    for (int i = 0; i < (node.isArray() ? node.size() : 0); i++) {
      walk(node.get(i), below(path, String.valueOf(i)), texts, problems);
    }
  }

  /// Why a place would let a delivery choose what only the hook may.
  private Optional<Problem> unbounded(String pointer, HookText text) {
    HookPlace.Kind kind =
        HookPlace.at(path(pointer)).map(HookPlace::kind).orElse(HookPlace.Kind.PROSE);
    boolean bounded =
        text.placeholders() == 0
            || allowed.containsKey(pointer)
            || switch (kind) {
              case PROSE, LINE, NAME -> true;
              case CHOICE -> false;
              case ADDRESS -> HookAddress.namesServer(text.beginning());
            };
    return bounded
        ? Optional.empty()
        : Optional.of(
            refused(
                AT + pointer,
                kind == HookPlace.Kind.ADDRESS
                    ? "The server must stand before the first placeholder, or allow must list beginnings of addresses for %s"
                        .formatted(pointer)
                    : "allow must list the values that may stand here, for %s".formatted(pointer)));
  }

  /// Where its values come from.
  Stream<HookSource> sources() {
    return texts.values().stream().flatMap(HookText::sources);
  }

  /// The body with the values of a delivery in it.
  Filling fill(HookPayload payload) {
    return fill(new HookFill(payload, allowed));
  }

  /// The body with harmless values, by which the rest of it can be checked.
  ObjectNode sample() {
    return switch (fill(HookFill.sample(allowed))) {
      case Filling.Filled(ObjectNode filled) -> filled;
      case Filling.Unfit _ -> body.deepCopy();
    };
  }

  private Filling fill(HookFill values) {
    ObjectNode filled = body.deepCopy();
    for (String pointer : new TreeSet<>(texts.keySet())) {
      HookText text = texts.getOrDefault(pointer, new HookText(List.of()));
      List<String> path = path(pointer);
      switch (values.of(pointer, HookPlace.at(path), text)) {
        case HookFill.Result.Refused(String detail) -> {
          return new Filling.Unfit(Problem.at(ProblemCode.INVALID_REQUEST, pointer, detail));
        }
        case HookFill.Result.Value(JsonNode value) -> put(filled, path, Optional.of(value));
        case HookFill.Result.Nothing _ -> put(filled, path, Optional.empty());
      }
    }
    return new Filling.Filled(filled);
  }

  private static void put(ObjectNode root, List<String> path, Optional<JsonNode> value) {
    JsonNode parent = root;
    for (String name : path.subList(0, path.size() - 1)) {
      parent = parent.isArray() ? parent.path(Integer.parseInt(name)) : parent.path(name);
    }
    String last = path.getLast();
    if (parent instanceof ArrayNode list) {
      list.set(Integer.parseInt(last), value.orElseGet(JsonNodeFactory.instance::nullNode));
    } else if (parent instanceof ObjectNode object) {
      if (value.isPresent()) {
        object.set(last, value.get());
      } else {
        object.remove(last);
      }
    }
  }

  private static Problem refused(String at, String detail) {
    return Problem.at(ProblemCode.INVALID_REQUEST, at, detail);
  }

  private static List<String> below(List<String> path, String name) {
    List<String> longer = new ArrayList<>(path);
    longer.add(name);
    return List.copyOf(longer);
  }

  /// The pointer of the place that these names lead to. Unlike [Pointer] it is never cut.
  private static String pointer(List<String> path) {
    StringBuilder pointer = new StringBuilder();
    path.forEach(name -> pointer.append('/').append(name.replace("~", "~0").replace("/", "~1")));
    return pointer.toString();
  }

  private static List<String> path(String pointer) {
    return Arrays.stream(pointer.substring(1).split("/", -1))
        .map(name -> name.replace("~1", "/").replace("~0", "~"))
        .toList();
  }
}
