package dev.runyard.core.message;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A message of a client or an agent: parts of any content type, in order. Times keep their text,
/// so that an echoed message is exactly the same.
///
/// @param role `user`, `agent` or `agent/<name>`
/// @param parts may be empty: a request for an answer need not contain anything
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Message(
    String role,
    List<MessagePart> parts,
    @Nullable String createdAt,
    @Nullable String completedAt) {
  public Message {
    Objects.requireNonNull(role);
    parts = List.copyOf(parts);
  }

  /// A message of one part of plain text, without times.
  public static Message text(String role, String text) {
    return new Message(role, List.of(MessagePart.text(text)), null, null);
  }

  /// The text of all textual parts, joined by line ends.
  public String text() {
    return String.join(
        "\n",
        parts.stream()
            .filter(MessagePart::textual)
            .map(MessagePart::content)
            .filter(Objects::nonNull)
            .toList());
  }
}
