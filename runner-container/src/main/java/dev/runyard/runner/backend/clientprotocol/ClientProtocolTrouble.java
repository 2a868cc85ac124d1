package dev.runyard.runner.backend.clientprotocol;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.runner.backend.AgentTrouble;
import dev.runyard.runner.backend.cli.CliTrouble;
import java.util.Optional;

/// What an error of the protocol tells: few have a code of their own, and the rest is prose, which
/// stays where it is.
final class ClientProtocolTrouble {
  private static final int AUTH_REQUIRED = -32000;
  private static final int RESOURCE_NOT_FOUND = -32002;

  private ClientProtocolTrouble() {}

  /// What a text of an agent tells; empty when nothing known is in it.
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

  /// Everything an error says.
  static String said(JsonNode error) {
    JsonNode data = error.path("data");
    String details = data.isMissingNode() || data.isNull() ? "" : data.toString();
    return error.path("message").asText("") + "\n" + details;
  }
}
