package dev.runyard.local.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/// Errors in the form of OpenAI's APIs.
final class OpenAiErrors {

  private static final ObjectMapper JSON = new ObjectMapper();

  private OpenAiErrors() {}

  static JsonNode body(int status, String message) {
    ObjectNode body = JSON.createObjectNode();
    body.putObject("error")
        .put("message", message)
        .put("type", status < 500 ? "invalid_request_error" : "server_error")
        .putNull("param")
        .put("code", code(status));
    return body;
  }

  static String message(Conversation conversation, int status) {
    return switch (status) {
      case 401 -> "Incorrect API key provided.";
      case 402 -> "You exceeded your current quota, please check your plan and billing details.";
      case 403 -> "You have insufficient permissions for this operation.";
      case 404 ->
          "The model `%s` does not exist or you do not have access to it."
              .formatted(conversation.model());
      case 429 -> "Rate limit reached for requests.";
      default -> "The script answers with status " + status + ".";
    };
  }

  private static String code(int status) {
    return switch (status) {
      case 401 -> "invalid_api_key";
      case 402 -> "insufficient_quota";
      case 404 -> "model_not_found";
      case 429 -> "rate_limit_exceeded";
      case 503 -> "server_is_overloaded";
      default -> status < 500 ? "invalid_request" : "server_error";
    };
  }
}
