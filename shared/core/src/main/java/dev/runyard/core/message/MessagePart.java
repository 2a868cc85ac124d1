package dev.runyard.core.message;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One part of a message: content of one type, inline or at an address. A part with a name is an
/// artifact.
///
/// @param content text, or base64 if `contentEncoding` says so; null with `contentUrl`
/// @param metadata what the part is about, such as a citation or a trajectory; stored unchanged
@JsonInclude(JsonInclude.Include.NON_NULL)
public record MessagePart(
    String contentType,
    @Nullable String content,
    @Nullable String contentUrl,
    @Nullable String contentEncoding,
    @Nullable String name,
    @Nullable JsonNode metadata) {
  public static final String PLAIN = "text/plain";
  public static final String BASE64 = "base64";

  public MessagePart {
    Objects.requireNonNull(contentType);
  }

  public static MessagePart text(String text) {
    return new MessagePart(PLAIN, text, null, null, null, null);
  }

  /// True when the content is readable text.
  @JsonIgnore
  public boolean textual() {
    return contentType.startsWith("text/") && !BASE64.equals(contentEncoding);
  }

  /// True for plain text without name or metadata.
  @JsonIgnore
  public boolean plain() {
    return equals(text(Objects.requireNonNullElse(content, "")));
  }
}
