package dev.runyard.core.message;

import dev.runyard.core.limits.Bounds;
import dev.runyard.core.limits.Limits;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Checks messages that begin a run or answer its agent: their roles, their parts, and their total
/// size, which is limited like a prompt's.
public final class InputCheck {
  private static final Pattern ROLE = Pattern.compile("user|agent(/[A-Za-z0-9_-]+)?");

  private InputCheck() {}

  /// Why they are refused, in a sentence for the caller; empty when they are valid.
  public static Optional<String> problem(List<Message> messages) {
    if (messages.size() > Limits.INPUT_MESSAGES_MAX) {
      return Optional.of(
          "a run begins with at most %d messages".formatted(Limits.INPUT_MESSAGES_MAX));
    }
    long bytes = 0;
    for (Message message : messages) {
      if (!ROLE.matcher(message.role()).matches()) {
        return Optional.of("role must be user, agent or agent/<name>");
      }
      if (message.parts().size() > Limits.INPUT_PARTS_MAX) {
        return Optional.of("a message has at most %d parts".formatted(Limits.INPUT_PARTS_MAX));
      }
      for (MessagePart part : message.parts()) {
        if (part.content() != null && part.contentUrl() != null) {
          return Optional.of("a part has content or content_url, not both");
        }
        if (Bounds.bytes(part.contentType()) > Limits.CONTENT_TYPE_BYTES_MAX) {
          return Optional.of(
              "content_type has at most %d bytes".formatted(Limits.CONTENT_TYPE_BYTES_MAX));
        }
        bytes += size(part);
      }
    }
    return bytes > Limits.PROMPT_BYTES_MAX
        ? Optional.of("the messages have at most %d bytes".formatted(Limits.PROMPT_BYTES_MAX))
        : Optional.empty();
  }

  private static long size(MessagePart part) {
    long bytes = 0;
    for (String text :
        new String[] {
          part.content() == null ? "" : part.content(),
          part.contentUrl() == null ? "" : part.contentUrl(),
          part.name() == null ? "" : part.name(),
          part.metadata() == null ? "" : part.metadata().toString()
        }) {
      bytes += Bounds.bytes(text);
    }
    return bytes;
  }
}
