package dev.runyard.core.hook;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// A text of a hook's template: what it says itself, with `{{/pointer}}` or `{{header:NAME}}` where
/// a value of the delivery stands; `{{?/pointer}}` where none need be. `{{{{` stands for two
/// braces. It is read once, when the hook is; what a value says is never read as such a text.
record HookText(List<Part> parts) {
  static final String EXPECTED =
      "A placeholder is {{SOURCE}}, or {{?SOURCE}} if it may have no value, where SOURCE is "
          + HookSource.EXPECTED
          + "; two braces alone are written {{{{";

  private static final String OPEN = "{{";
  private static final String CLOSE = "}}";
  private static final String OPTIONAL = "?";

  HookText {
    parts = List.copyOf(parts);
  }

  sealed interface Part {
    record Literal(String text) implements Part {}

    /// A value of the delivery.
    ///
    /// @param optional whether nothing may be there
    record Value(HookSource source, boolean optional) implements Part {}
  }

  /// The text in its parts; empty if it has braces that begin no placeholder.
  static Optional<HookText> read(String text) {
    List<Part> parts = new ArrayList<>();
    StringBuilder literal = new StringBuilder();
    int at = 0;
    while (at < text.length()) {
      int open = text.indexOf(OPEN, at);
      if (open < 0) {
        literal.append(text, at, text.length());
        break;
      }
      literal.append(text, at, open);
      if (text.startsWith(OPEN + OPEN, open)) {
        literal.append(OPEN);
        at = open + 2 * OPEN.length();
        continue;
      }
      int close = text.indexOf(CLOSE, open);
      Optional<Part.Value> value =
          close < 0 ? Optional.empty() : value(text.substring(open + OPEN.length(), close));
      if (value.isEmpty()) {
        return Optional.empty();
      }
      add(parts, literal);
      parts.add(value.get());
      at = close + CLOSE.length();
    }
    add(parts, literal);
    return Optional.of(new HookText(parts));
  }

  private static void add(List<Part> parts, StringBuilder literal) {
    if (!literal.isEmpty()) {
      parts.add(new Part.Literal(literal.toString()));
      literal.setLength(0);
    }
  }

  private static Optional<Part.Value> value(String inside) {
    String text = inside.strip();
    boolean optional = text.startsWith(OPTIONAL);
    return HookSource.read(optional ? text.substring(OPTIONAL.length()) : text)
        .map(source -> new Part.Value(source, optional));
  }

  int placeholders() {
    return (int) sources().count();
  }

  /// Where its values come from.
  Stream<HookSource> sources() {
    return parts.stream()
        .flatMap(
            part -> part instanceof Part.Value value ? Stream.of(value.source()) : Stream.empty());
  }

  /// The source of a text that is one placeholder and nothing else.
  Optional<HookSource> only() {
    return parts.size() == 1 && parts.getFirst() instanceof Part.Value(HookSource source, _)
        ? Optional.of(source)
        : Optional.empty();
  }

  /// What it says before its first placeholder.
  String beginning() {
    return !parts.isEmpty() && parts.getFirst() instanceof Part.Literal(String text) ? text : "";
  }
}
