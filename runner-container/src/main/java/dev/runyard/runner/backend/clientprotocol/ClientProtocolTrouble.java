package dev.runyard.runner.backend.clientprotocol;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.runner.backend.AgentTrouble;
import dev.runyard.runner.backend.cli.CliTrouble;
import java.util.Optional;

/// The meaning of an error of the protocol: few have their own code, and the rest is prose, which
/// is not stored.
final class ClientProtocolTrouble {
  private static final int AUTH_REQUIRED = -32000;
  private static final int RESOURCE_NOT_FOUND = -32002;

  private ClientProtocolTrouble() {}

  /// The meaning of a text of an agent; empty if it contains no known sign.
  static Optional<AgentTrouble> find(String text) {
    return CliTrouble.find(text).map(CliTrouble::meaning);
  }

  static AgentTrouble of(JsonNode error) {
    int code = error.path("code").asInt(0);
    return switch (code) {
      case AUTH_REQUIRED -> AgentTrouble.NO_KEY;
      case RESOURCE_NOT_FOUND -> AgentTrouble.SESSION_NOT_FOUND;
      default ->
          find(said(error))
              .or(() -> CliTrouble.ofStatus(code).map(CliTrouble::meaning))
              .orElse(AgentTrouble.OTHER);
    };
  }

  /// All text of an error.
  static String said(JsonNode error) {
    JsonNode data = error.path("data");
    String details = data.isMissingNode() || data.isNull() ? "" : data.toString();
    return error.path("message").asText("") + "\n" + details;
  }
}
