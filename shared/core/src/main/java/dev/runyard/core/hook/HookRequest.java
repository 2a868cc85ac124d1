package dev.runyard.core.hook;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A delivery as it arrived: its headers, and its body byte for byte, as it was signed.
public final class HookRequest {
  private final Map<String, String> headers;
  private final byte[] body;
  private final @Nullable String requestId;

  /// One whose request has no name.
  public HookRequest(Map<String, String> headers, byte[] body) {
    this(headers, body, null);
  }

  /// @param headers by name, in any case
  /// @param requestId as the answer names it
  public HookRequest(Map<String, String> headers, byte[] body, @Nullable String requestId) {
    Map<String, String> lower = new TreeMap<>();
    headers.forEach((name, value) -> lower.put(name.toLowerCase(Locale.ROOT), value));
    this.headers = lower;
    this.body = body.clone();
    this.requestId = requestId;
  }

  /// As the answer names the request; null where it has no name.
  @Nullable String requestId() {
    return requestId;
  }

  /// A header that is there and says something, without the blanks around it.
  Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name.toLowerCase(Locale.ROOT)))
        .map(String::strip)
        .filter(value -> !value.isEmpty());
  }

  byte[] body() {
    return body.clone();
  }

  int bytes() {
    return body.length;
  }

  /// The form of the body, in lower case and without parameters.
  String contentType() {
    return header("content-type")
        .map(type -> type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT))
        .orElse("");
  }
}
