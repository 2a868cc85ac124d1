package dev.runyard.runner.backend;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.json.JsonFormat;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Logins of the operator, as CLIs keep them in JSON files.
final class Logins {
  /// Shorter texts in a login are names, times and kinds.
  private static final int TOKEN_CHARS_MIN = 20;

  private Logins() {}

  /// The texts of a login that may be tokens; none if it is not JSON.
  static List<String> tokens(byte[] login) {
    List<String> tokens = new ArrayList<>();
    try {
      collect(JsonFormat.JSON.readTree(login), tokens);
    } catch (IOException _) {
      return List.of();
    }
    return tokens;
  }

  private static void collect(JsonNode json, List<String> tokens) {
    if (json.isTextual() && json.textValue().length() >= TOKEN_CHARS_MIN) {
      tokens.add(json.textValue());
    }
    json.forEach(child -> collect(child, tokens));
  }
}
