package dev.runyard.core.message;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/// What a `model.delta` says about the part its text belongs to; a delta without it is a whole part
/// of plain text. Absent members mean plain text, inline, without a name.
///
/// @param more true when the part's content continues in the next delta
/// @param message on the first part of a message whose role or times the agent named
@JsonInclude(JsonInclude.Include.NON_NULL)
public record OutputPart(
    @Nullable String contentType,
    @Nullable String contentUrl,
    @Nullable String contentEncoding,
    @Nullable String name,
    @Nullable JsonNode metadata,
    @Nullable Boolean more,
    @Nullable OutputHead message) {
  public static final OutputPart CONTINUED =
      new OutputPart(null, null, null, null, null, Boolean.TRUE, null);

  public boolean goesOn() {
    return Boolean.TRUE.equals(more);
  }

  /// True for readable text.
  public boolean textual() {
    return (contentType == null || contentType.startsWith("text/"))
        && !MessagePart.BASE64.equals(contentEncoding);
  }
}
