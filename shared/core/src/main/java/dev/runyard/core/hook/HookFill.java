package dev.runyard.core.hook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.core.limits.Bounds;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Puts values of a delivery in the places of a template, each as its place takes it. Values are
/// text: whatever braces they have, they are not read again.
final class HookFill {
  private static final String SAMPLE = "x";

  private final Function<HookSource, JsonNode> values;
  private final Map<String, List<String>> allowed;
  private final boolean sample;

  /// @param allowed the only values of a place, by its pointer
  HookFill(HookPayload payload, Map<String, List<String>> allowed) {
    this(source -> source.in(payload), allowed, false);
  }

  private HookFill(
      Function<HookSource, JsonNode> values, Map<String, List<String>> allowed, boolean sample) {
    this.values = values;
    this.allowed = allowed;
    this.sample = sample;
  }

  /// Puts something harmless in every place.
  static HookFill sample(Map<String, List<String>> allowed) {
    return new HookFill(_ -> JsonNodeFactory.instance.textNode(SAMPLE), allowed, true);
  }

  /// What a text came to.
  sealed interface Result {
    record Value(JsonNode value) implements Result {}

    /// It says nothing, and need not.
    record Nothing() implements Result {}

    record Refused(String detail) implements Result {}
  }

  /// The text of a place with its values.
  ///
  /// @param place empty for one that has no values
  Result of(String pointer, Optional<HookPlace> place, HookText text) {
    if (sample && allowed.containsKey(pointer)) {
      String first = allowed.getOrDefault(pointer, List.of()).getFirst();
      boolean begins =
          place.filter(p -> p.kind() == HookPlace.Kind.ADDRESS).isPresent()
              && (first.endsWith("/") || first.endsWith(":"));
      return new Result.Value(JsonNodeFactory.instance.textNode(begins ? first + SAMPLE : first));
    }
    StringBuilder filled = new StringBuilder();
    for (HookText.Part part : text.parts()) {
      switch (part) {
        case HookText.Part.Literal(String literal) -> filled.append(literal);
        case HookText.Part.Value value -> {
          JsonNode found = values.apply(value.source());
          Optional<String> refusal = place.flatMap(p -> refusal(p, value, found));
          if (refusal.isPresent()) {
            return new Result.Refused(refusal.get());
          }
          filled.append(place.map(p -> shown(p, found)).orElse(""));
        }
      }
    }
    return place
        .filter(_ -> text.placeholders() > 0)
        .map(p -> placed(pointer, p, text, filled.toString()))
        .orElseGet(() -> new Result.Value(JsonNodeFactory.instance.textNode(filled.toString())));
  }

  private static Optional<String> refusal(
      HookPlace place, HookText.Part.Value wanted, JsonNode found) {
    String from = wanted.source().text();
    if (found.isMissingNode() || (found.isNull() && !place.prose())) {
      return wanted.optional()
          ? Optional.empty()
          : Optional.of("The delivery has nothing at %s".formatted(from));
    }
    if (place.prose()) {
      return Optional.empty();
    }
    if (!found.isValueNode()) {
      return Optional.of("The delivery has no text, number or boolean at %s".formatted(from));
    }
    String text = found.asText();
    if (text.chars().anyMatch(Character::isISOControl)) {
      return Optional.of("The delivery has control characters at %s".formatted(from));
    }
    return place.kind() == HookPlace.Kind.ADDRESS && !isOfAddress(text)
        ? Optional.of("The delivery has at %s what no address may have".formatted(from))
        : Optional.empty();
  }

  /// A whole address is compared with what is allowed; part of one is a path.
  private static boolean isOfAddress(String text) {
    return HookAddress.isPath(text) || HookAddress.namesServer(text);
  }

  private static String shown(HookPlace place, JsonNode found) {
    if (found.isMissingNode() || found.isNull()) {
      return "";
    }
    String text = found.isValueNode() ? found.asText() : found.toString();
    return place.prose()
        ? Bounds.truncate(
            clean(text, place.kind() == HookPlace.Kind.LINE), HookLimits.VALUE_BYTES_MAX)
        : text;
  }

  /// Without control characters, which neither terminals nor servers of pull requests want.
  private static String clean(String text, boolean line) {
    StringBuilder clean = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            c -> {
              if (!Character.isISOControl(c)) {
                clean.appendCodePoint(c);
              } else if (line) {
                clean.append(' ');
              } else if (c == '\n' || c == '\t' || c == '\r') {
                clean.append((char) c);
              }
            });
    return clean.toString();
  }

  private Result placed(String pointer, HookPlace place, HookText text, String filled) {
    List<String> only = allowed.get(pointer);
    return switch (place.kind()) {
      case PROSE, LINE -> {
        if (filled.isBlank()) {
          yield new Result.Nothing();
        }
        yield only != null && !only.contains(filled)
            ? notAllowed()
            : text(Bounds.truncate(filled, place.bytesMax()));
      }
      case NAME -> {
        if (filled.isEmpty()) {
          yield new Result.Nothing();
        }
        yield only != null && !only.contains(filled) ? notAllowed() : text(filled);
      }
      case ADDRESS -> address(only, text, filled);
      case CHOICE ->
          only != null && only.contains(filled)
              ? new Result.Value(chosen(text, filled))
              : notAllowed();
    };
  }

  private static Result address(@Nullable List<String> only, HookText text, String filled) {
    boolean there =
        only == null
            ? HookAddress.namesServer(text.beginning())
                && filled.startsWith(text.beginning())
                && HookAddress.isPath(filled.substring(text.beginning().length()))
            : HookAddress.isOneOf(filled, only);
    return there && HookAddress.staysThere(filled) ? text(filled) : notAllowed();
  }

  /// A number or boolean that is the whole value stays one.
  private JsonNode chosen(HookText text, String filled) {
    return text.only()
        .map(values)
        .filter(found -> found.isNumber() || found.isBoolean())
        .orElseGet(() -> JsonNodeFactory.instance.textNode(filled));
  }

  private static Result text(String text) {
    return new Result.Value(JsonNodeFactory.instance.textNode(text));
  }

  private static Result notAllowed() {
    return new Result.Refused("The delivery has a value here that the hook does not allow");
  }
}
