package dev.runyard.testkit.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.json.JsonFormat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// A request and its answer.
///
/// @param target path and query, as in the request line
/// @param sent the body of the request; empty if there was none, or it is not known
/// @param headers of the answer, by names in lower case
/// @param body of the answer; empty if it is not read as a whole, such as a stream
public record Exchange(
    String method,
    String target,
    Optional<byte[]> sent,
    int status,
    Map<String, String> headers,
    Optional<byte[]> body) {
  public Exchange {
    Map<String, String> lower = new TreeMap<>();
    headers.forEach((name, value) -> lower.put(name.toLowerCase(Locale.ROOT), value));
    headers = lower;
  }

  String path() {
    return target.split("\\?", 2)[0];
  }

  String query() {
    String[] parts = target.split("\\?", 2);
    return parts.length == 2 ? parts[1] : "";
  }

  /// The media type of the answer, without parameters.
  String mediaType() {
    return headers.getOrDefault("content-type", "").split(";", 2)[0].strip();
  }

  /// The code of a refusal; empty if it is none.
  public String code() {
    JsonNode json = json(body.orElse(new byte[0]));
    String own = json.at("/data/code").asText();
    return own.isEmpty() ? json.path("code").asText() : own;
  }

  /// The text of the answer.
  public String text() {
    return new String(body.orElse(new byte[0]), StandardCharsets.UTF_8);
  }

  /// Reads JSON; missing if the bytes are none.
  static JsonNode json(byte[] bytes) {
    try {
      return JsonFormat.JSON.readTree(bytes);
    } catch (IOException _) {
      return JsonFormat.JSON.missingNode();
    }
  }

  @Override
  public String toString() {
    return "%s %s -> %d %s %s"
        .formatted(method, target, status, headers.get("content-type"), brief(text()));
  }

  private static String brief(String text) {
    return text.length() > 600 ? text.substring(0, 600) + "…" : text;
  }
}
