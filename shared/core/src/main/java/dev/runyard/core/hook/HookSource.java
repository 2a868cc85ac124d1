package dev.runyard.core.hook;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.runyard.core.limits.Bounds;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// Where in a delivery a value is: a place of its body, or a header.
sealed interface HookSource {
  String HEADER = "header:";

  String EXPECTED =
      "a JSON Pointer of at most %d bytes, like /issue/title, or header:NAME of a header that proves nothing"
          .formatted(HookLimits.POINTER_BYTES_MAX);

  /// The value, or a missing node.
  JsonNode in(HookPayload payload);

  /// The text that [#read] takes.
  String text();

  /// A place of the body.
  record Place(JsonPointer pointer) implements HookSource {
    @Override
    public JsonNode in(HookPayload payload) {
      return payload.json().at(pointer);
    }

    @Override
    public String text() {
      return pointer.toString();
    }
  }

  /// A header. Few senders sign headers, so one says no more than its sender's network does.
  record Header(String name) implements HookSource {
    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9][A-Za-z0-9-]{0,63}");

    /// What proves something is never shown, nor is what a gateway adds.
    private static final Set<String> PROOFS =
        Set.of(
            "authorization",
            "cookie",
            "webhook-signature",
            "x-gitlab-token",
            "x-hub-signature",
            "x-hub-signature-256",
            "x-slack-signature");

    private static final Pattern GATEWAY = Pattern.compile("(?:proxy|x-amz|x-amzn|x-forwarded)-.*");

    @Override
    public JsonNode in(HookPayload payload) {
      return payload
          .request()
          .header(name)
          .filter(value -> value.chars().noneMatch(Character::isISOControl))
          .<JsonNode>map(value -> JsonNodeFactory.instance.textNode(Bounds.wellFormed(value)))
          .orElseGet(MissingNode::getInstance);
    }

    @Override
    public String text() {
      return HEADER + name;
    }
  }

  /// The source that a text names; empty if it names none, or one that is not shown.
  static Optional<HookSource> read(String text) {
    if (text.startsWith(HEADER)) {
      return header(text.substring(HEADER.length()));
    }
    return text.startsWith("/") ? pointer(text) : Optional.empty();
  }

  /// The header of this name; empty if it is not shown.
  static Optional<HookSource> header(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return Header.FORM.matcher(name).matches()
            && !Header.PROOFS.contains(lower)
            && !Header.GATEWAY.matcher(lower).matches()
        ? Optional.of(new Header(lower))
        : Optional.empty();
  }

  private static Optional<HookSource> pointer(String text) {
    if (Bounds.bytes(text) > HookLimits.POINTER_BYTES_MAX) {
      return Optional.empty();
    }
    try {
      return Optional.of(new Place(JsonPointer.compile(text)));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }
}
