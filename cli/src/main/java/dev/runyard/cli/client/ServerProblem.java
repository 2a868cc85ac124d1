package dev.runyard.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// A refusal by the server (RFC 9457): a stable `code` to look up and a `detail` to read.
///
/// @param document the whole problem document, for `-o json`
public record ServerProblem(
    int status, String code, String detail, List<String> errors, JsonNode document) {

  private static final Set<String> STATE_CODES =
      Set.of(
          "run_not_found",
          "not_found",
          "run_closed",
          "job_not_found",
          "job_closed",
          "item_not_found",
          "item_not_failed");

  public ServerProblem {
    errors = List.copyOf(errors);
  }

  /// True when the request itself was wrong, so that sending it again is useless; false when it was
  /// valid but named something that does not exist, or the server failed.
  public boolean callerIsWrong() {
    return status >= 400 && status < 500 && !STATE_CODES.contains(code);
  }

  static ServerProblem read(ObjectMapper json, int status, byte[] body) {
    return of(status, parse(json, body));
  }

  /// A refusal with this document.
  public static ServerProblem of(int status, JsonNode document) {
    List<String> errors = new ArrayList<>();
    for (JsonNode error : document.path("errors")) {
      String at = error.isTextual() ? error.textValue() : error.path("pointer").asText();
      String detail = error.path("detail").asText();
      errors.add(detail.isEmpty() ? at : at + ": " + detail);
    }
    String detail = document.path("detail").asText(document.path("title").asText());
    return new ServerProblem(
        status,
        document.path("code").asText("http_" + status),
        detail.isEmpty() ? "the server answered " + status : detail,
        errors,
        document);
  }

  private static JsonNode parse(ObjectMapper json, byte[] body) {
    try {
      JsonNode document = json.readTree(body);
      return document.isObject() ? document : JsonNodeFactory.instance.objectNode();
    } catch (IOException _) {
      return JsonNodeFactory.instance.objectNode();
    }
  }
}
